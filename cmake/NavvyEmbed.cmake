# The assembler copies a file into an object far faster than a compiler reads it as an array.
enable_language(ASM)

# navvy_embed(target file symbol)
# Puts the bytes of a file into the target as read-only data, 64-byte aligned. C++ sees them as
#   extern "C" const std::byte symbol[];
#   extern "C" const std::uint64_t symbol_size;
function(navvy_embed target file symbol)
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${symbol}.S")
  file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT [[
.section .rodata, "a", %progbits
.global @symbol@
.hidden @symbol@
.type @symbol@, %object
.balign 64
@symbol@:
.incbin "@file@"
.set @symbol@_length, . - @symbol@
.size @symbol@, @symbol@_length
.global @symbol@_size
.hidden @symbol@_size
.type @symbol@_size, %object
.balign 8
@symbol@_size:
.quad @symbol@_length
.size @symbol@_size, 8
.section .note.GNU-stack, "", %progbits
]])
  # The assembler reports no dependency on the file it includes.
  set_source_files_properties("${source}" PROPERTIES OBJECT_DEPENDS "${file}")
  target_sources(${target} PRIVATE "${source}")
endfunction()
