// The kernel text for one number of levels, and its names; inside a namespace of its own.
#include "kernel_text.inc"

void add_all(Registry& registry) {
#define NAME(name) add(registry, LEVELS, #name, name);
#include "kernel_names.inc"
#undef NAME
}
