std::vector<int> queens = {0, 2, 4, 1, 3};
