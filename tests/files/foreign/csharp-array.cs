int[] queens = new int[] { 0, 2, 4, 1, 3 };
