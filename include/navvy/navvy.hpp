#pragma once

#include "navvy/array.hpp"
#include "navvy/error.hpp"
#include "navvy/histograms.hpp"
#include "navvy/index.hpp"
#include "navvy/loaders.hpp"
#include "navvy/measure.hpp"
#include "navvy/pairwise.hpp"
#include "navvy/progress.hpp"
#include "navvy/search.hpp"
#include "navvy/strings.hpp"
#include "navvy/vocabulary.hpp"
