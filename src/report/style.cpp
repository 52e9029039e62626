// The style sheet, and the colours of measures and distances.
#include "report/style.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

namespace navvy::report {
namespace {

// Day and night are told by the reader's system; paper is always day.
constexpr std::string_view palette = R"(
:root{color-scheme:light dark;
--paper:#fcfbf9;--raised:#fff;--ink:#1c1b19;--soft:#6a655e;--line:#e4dfd7;--grid:#ece8e1;
--bad:#b3203a;--tint:#eef3f6;--side-a:#1f6f8b;--side-b:#c26a1b;
--d0:#9dbfa6;--d1:#8fb9b5;--d2:#7fa8c4;--d3:#8a8cc4;--d4:#a874b0;--d5:#b8567f;--d6:#b23a4e}
@media screen and (prefers-color-scheme:dark){:root{
--paper:#161719;--raised:#1d1f22;--ink:#ece9e4;--soft:#a09b93;--line:#34363a;--grid:#292b2f;
--bad:#ff7d8b;--tint:#20262b;--side-a:#6cc3e0;--side-b:#f0a35e;
--d0:#52775d;--d1:#4c7d79;--d2:#4f7ea0;--d3:#7375bb;--d4:#a467ae;--d5:#cf6a95;--d6:#f07184}}
)";

constexpr std::string_view pictures = R"(
svg{display:block;font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;
font-variant-numeric:tabular-nums}
svg text{fill:var(--soft);font-size:12px}
.grid{stroke:var(--grid);stroke-width:1}
.axis{stroke:var(--line);stroke-width:1}
.pareto{fill:none;stroke:var(--soft);stroke-opacity:.28;stroke-width:5;stroke-linejoin:round;stroke-linecap:round}
.leader{stroke:var(--soft);stroke-width:.75;opacity:.6}
.interval{stroke:var(--c);stroke-width:1.5;stroke-opacity:.6}
.point{fill:var(--c);stroke:var(--paper);stroke-width:1.5}
.point.hollow{fill:var(--paper);stroke:var(--c);stroke-width:2}
.curve{fill:none;stroke:var(--c);stroke-width:2;stroke-linejoin:round;stroke-linecap:round}
.dot{fill:var(--c)}
svg text.name{fill:var(--c);font-size:13px;font-weight:600}
svg text.title{fill:var(--ink);font-size:14px;font-weight:600}
)";

constexpr std::string_view page = R"(
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);
font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;
font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
main,header,footer{max-width:1120px;margin:0 auto;padding:0 16px}
header{padding-top:40px}
.mark{color:var(--soft);font-size:13px;letter-spacing:.08em;text-transform:uppercase;margin:0}
h1{font-size:clamp(26px,4.2vw,38px);line-height:1.15;letter-spacing:-.015em;margin:6px 0 12px;
font-weight:650}
h2{font-size:21px;line-height:1.25;letter-spacing:-.005em;margin:0 0 4px;font-weight:650}
h3{font-size:15px;line-height:1.4;margin:0;font-weight:600}
p{margin:0 0 14px;max-width:68ch}
.lead{font-size:18px;color:var(--ink)}
.note{color:var(--soft);font-size:14.5px}
section{margin:44px 0 0;padding-top:20px;border-top:1px solid var(--line)}
footer{margin-top:56px;padding-top:16px;padding-bottom:40px;color:var(--soft);font-size:13.5px}
a{color:inherit}
code,pre{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
pre{background:var(--tint);padding:12px 14px;border-radius:6px;font-size:13px;line-height:1.5;
white-space:pre-wrap;overflow-wrap:anywhere;margin:8px 0 0}
.facts{display:flex;flex-wrap:wrap;gap:10px 28px;margin:20px 0 0;padding:0}
.facts div{min-width:72px}
.facts dt{color:var(--soft);font-size:12.5px}
.facts dd{margin:0;font-size:19px;font-weight:600;letter-spacing:-.01em}
table{border-collapse:collapse;width:100%;margin:12px 0 0}
th{font-size:12.5px;font-weight:500;color:var(--soft);text-align:right;padding:4px 0 6px 12px;
border-bottom:1px solid var(--line);vertical-align:bottom}
td{text-align:right;padding:6px 0 6px 12px;border-bottom:1px solid var(--grid);font-size:15px}
th:first-child,td:first-child{text-align:left;padding-left:0}
th.left,td.left{text-align:left}
td.best{font-weight:700}
td small{display:inline-block;margin-left:6px;color:var(--soft);font-size:12px;font-weight:400}
.labels td small{display:block;margin:0}
.labels tbody th{font-size:15px;color:var(--ink);text-align:left;padding:6px 0;
border-bottom:1px solid var(--grid);vertical-align:top}
.labels td{vertical-align:top}
tr.details{display:none}
.key{display:inline-block;width:10px;height:10px;border-radius:50%;margin-right:8px;
background:var(--c)}
.measures tbody th{font-size:15px;font-weight:600;color:var(--ink);text-align:left;padding:6px 0;
border-bottom:1px solid var(--grid);white-space:nowrap}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,330px),1fr));gap:20px 24px;
margin-top:12px}
figure{margin:0}
figure svg{width:100%;height:auto;max-width:520px}
figure.wide svg{max-width:none}
.narrow{display:none}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,338px),1fr));
gap:32px 28px;margin-top:18px}
.card{min-width:0;break-inside:avoid}
.card>.query{display:flex;gap:14px;align-items:center;margin-bottom:8px}
.picture{display:block;width:44px;height:44px;background:var(--raised);border:1px solid var(--line);
border-radius:4px;color:var(--ink)}
.query .picture{width:64px;height:64px}
.answer{display:grid;grid-template-columns:62px 1fr;gap:8px;align-items:start;padding:5px 0}
.answer>b{font-size:13.5px;color:var(--c);padding-top:10px;font-weight:600}
.strip{display:flex;flex-wrap:wrap;gap:6px;list-style:none;margin:0;padding:0}
.strip li{width:44px;font-size:12px;line-height:1.35;color:var(--soft);text-align:center}
.strip .wrong{color:var(--bad);font-weight:700}
.wrong .picture{border:2px solid var(--bad)}
.strip.hits{gap:10px;margin:14px 0 4px}
.strip.hits li{width:68px;display:flex;flex-direction:column;align-items:center}
.strip.hits .picture{width:64px;height:64px}
.strip.hits b{font-weight:600;color:var(--ink)}
ol.hits{margin:14px 0 4px;padding-left:22px;font-size:15px}
ol.hits li{padding:0 0 4px}ol.hits .note{margin:0 0 4px;font-size:13.5px}
.list{list-style:none;margin:0;padding:0;font-size:14.5px;line-height:1.45}
.list li{padding:0 0 6px}
.texts .answer{grid-template-columns:62px 1fr;border-top:1px solid var(--grid);padding:8px 0 2px}
.texts .answer>b{padding-top:0}
.label{color:var(--soft);font-size:12.5px}
.label.wrong{color:var(--bad);font-weight:600}
.moves{display:block;color:var(--soft);font-size:13px}
.moves i{font-style:normal;color:var(--ink)}
.sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,320px),1fr));gap:12px 32px;
margin:16px 0 0}
.side{border-left:4px solid var(--c);padding-left:12px}
.side-a{--c:var(--side-a)}.side-b{--c:var(--side-b)}
.flows{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,340px),1fr));gap:28px 32px;
margin-top:16px}
.flows svg{width:100%;height:auto;max-width:430px}
.band{stroke:none;fill-opacity:.62}
.bin-a{fill:var(--side-a)}.bin-b{fill:var(--side-b)}
.over{fill:var(--bad)}
.ring{fill:none;stroke:var(--bad);stroke-width:.12}
.unmet{fill:none;stroke:var(--side-b);stroke-width:.08;stroke-dasharray:.2 .16}
svg text.word{fill:var(--ink)}
.d0{--c:var(--d0)}.d1{--c:var(--d1)}.d2{--c:var(--d2)}.d3{--c:var(--d3)}.d4{--c:var(--d4)}
.d5{--c:var(--d5)}.d6{--c:var(--d6)}
.band,.head{fill:var(--c)}.arrow{stroke:var(--c);stroke-linecap:round}
.ramp{display:flex;align-items:center;gap:6px;font-size:12.5px;color:var(--soft);margin:10px 0 0}
.ramp i{width:22px;height:9px;background:var(--c)}
.bar{min-width:120px;white-space:nowrap}
.bar i{display:inline-block;height:9px;background:var(--side-a);opacity:.55;margin-right:8px;
border-radius:2px}
.found{margin:26px 0 0;break-inside:avoid-page}.found .note{margin:2px 0 6px}
dl.report{display:grid;grid-template-columns:minmax(110px,max-content) 1fr;gap:4px 18px;margin:12px 0 0;
font-size:14.5px}
dl.report dt{color:var(--soft)}dl.report dd{margin:0}
@media (max-width:600px){
.wide{display:none}.narrow{display:block}
.extra{display:none}tr.details{display:table-row}
tr.details td{padding:0 0 8px;color:var(--soft);font-size:13px;text-align:left}
tbody tr.main>*{border-bottom:0!important;padding-bottom:0!important}
td small{display:block;margin:0}
dl.report{grid-template-columns:1fr;gap:0}dl.report dd{margin-bottom:8px}
.answer,.texts .answer{grid-template-columns:1fr;gap:4px}.answer>b{padding-top:4px}}
@media print{body{font-size:11pt;background:#fff}section{break-inside:avoid-page}
header{padding-top:0}figure,.card{break-inside:avoid}pre{border:1px solid var(--line)}}
)";

struct Colour {
  double red, green, blue;
};

constexpr Colour from_hex(std::uint32_t hex) {
  return {static_cast<double>(hex >> 16U), static_cast<double>((hex >> 8U) & 0xFFU),
          static_cast<double>(hex & 0xFFU)};
}

using Ramp = std::array<Colour, 4>;
constexpr Ramp day = {from_hex(0x3f9f97), from_hex(0x2b7fb5), from_hex(0x4757ad),
                      from_hex(0x6a2c91)};
constexpr Ramp night = {from_hex(0x74d0c5), from_hex(0x6fb9ee), from_hex(0x9aa6f3),
                        from_hex(0xcf9ff5)};

std::string mixed(const Ramp& ramp, double share) {
  const double place = share * static_cast<double>(ramp.size() - 1);
  const auto left = std::min(static_cast<std::size_t>(place), ramp.size() - 2);
  const double part = place - static_cast<double>(left);
  const auto mix = [&](double a, double b) {
    return static_cast<unsigned>(std::lround(a + part * (b - a)));
  };
  const Colour& a = ramp[left];
  const Colour& b = ramp[left + 1];
  return fmt::format("#{:02x}{:02x}{:02x}", mix(a.red, b.red), mix(a.green, b.green),
                     mix(a.blue, b.blue));
}

// How tight a bound is, for ordering; negative for measures that are none.
double tightness(const std::string& measure) {
  if (measure == "rwmd") return 0;
  if (measure == "omr") return 0.5;
  if (measure == "ict") return 1e9;
  constexpr std::string_view act = "act-";
  if (measure.starts_with(act)) return std::stod(measure.substr(act.size()));
  return -1;
}

std::string fixed_colour(const std::string& measure, bool by_day) {
  if (measure == "emd") return "var(--ink)";
  if (measure == "sinkhorn") return by_day ? "#a8701a" : "#e2b25f";
  if (measure == "wcd") return by_day ? "#a39d94" : "#77736d";
  return by_day ? "#7d7870" : "#9b968e";
}

}  // namespace

std::string_view page_style() {
  static const std::string style = fmt::format("{}{}{}", palette, pictures, page);
  return style;
}

std::string_view picture_style() {
  static const std::string style = fmt::format("{}{}", palette, pictures);
  return style;
}

std::string measure_colours(std::span<const std::string> measures) {
  std::vector<std::size_t> bounds;
  for (std::size_t i = 0; i < measures.size(); ++i) {
    if (tightness(measures[i]) >= 0) bounds.push_back(i);
  }
  std::stable_sort(bounds.begin(), bounds.end(), [&](std::size_t a, std::size_t b) {
    return tightness(measures[a]) < tightness(measures[b]);
  });
  const auto rules = [&](const Ramp& ramp, bool by_day) {
    std::string text;
    for (std::size_t i = 0; i < measures.size(); ++i) {
      const auto place = std::find(bounds.begin(), bounds.end(), i);
      const double rank = static_cast<double>(place - bounds.begin());
      const double last = static_cast<double>(std::max<std::size_t>(bounds.size(), 2) - 1);
      text += fmt::format(
          ".m{}{{--c:{}}}", i,
          place == bounds.end() ? fixed_colour(measures[i], by_day) : mixed(ramp, rank / last));
    }
    return text;
  };
  return fmt::format("{}\n@media screen and (prefers-color-scheme:dark){{{}}}\n", rules(day, true),
                     rules(night, false));
}

std::string distance_class(double share) {
  constexpr double classes = 7;
  return fmt::format("d{:.0f}", std::floor(std::clamp(share, 0.0, 0.999) * classes));
}

}  // namespace navvy::report
