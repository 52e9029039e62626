#include <fmt/core.h>

int main() { fmt::print("navvy {}\n", NAVVY_VERSION); }
