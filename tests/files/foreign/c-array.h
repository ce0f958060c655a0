int queens[5] = {0, 2, 4, 1, 3};
