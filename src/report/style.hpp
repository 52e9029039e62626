// How pages look: one palette, by day and by night.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace navvy::report {

/// The style of a page.
std::string_view page_style();

/// The part of it that a picture needs which stands alone.
std::string_view picture_style();

/// The colours of measures, as rules for the classes m0, m1, ... in the order given: bounds darken
/// (by night: brighten) as they tighten, baselines are grey, emd has the colour of ink.
std::string measure_colours(std::span<const std::string> measures);

/// A colour between near and far, for a distance as a share of the largest shown: a class name.
std::string distance_class(double share);

}  // namespace navvy::report
