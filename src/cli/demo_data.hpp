// The data of the demo, which are part of the program.
#pragma once

#include <cstddef>
#include <span>

namespace navvy::cli {

/// The files of data/demo, byte for byte, as part of the command. They live as long as the process;
/// data/demo/README.md says where they come from and how they are made.
using EmbeddedFile = std::span<const std::byte>;

/// 1,797 handwritten digits: IDX, uint8, 8x8 pixels of 0..16.
EmbeddedFile demo_digit_images() noexcept;

/// The digit 0..9 of each image: IDX, uint8.
EmbeddedFile demo_digit_labels() noexcept;

/// 120 short texts, one per line: topic, title, text, separated by tabs. ASCII.
EmbeddedFile demo_texts() noexcept;

/// Questions that share no word with the text they mean, one per line: the title of that text and
/// the question, separated by a tab. ASCII.
EmbeddedFile demo_queries() noexcept;

/// Vectors of every word in titles, texts and questions and of some more: word2vec binary format,
/// not normalised. The stop words come first.
EmbeddedFile demo_vectors() noexcept;

}  // namespace navvy::cli
