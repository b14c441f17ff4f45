//===- SvgPlot.cpp - Plots as SVG ----------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Evaluate/SvgPlot.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;

namespace gpuprune {

static std::string escaped(StringRef Text) {
  std::string Result;
  raw_string_ostream OS(Result);
  printHTMLEscaped(Text, OS);
  return Result;
}

/// A tenth of a pixel is nothing to see.
static std::string pixels(double Value) { return formatv("{0:f1}", Value); }

static StringRef nameOf(TextAnchor Anchor) {
  return Anchor == TextAnchor::Start ? "start" : Anchor == TextAnchor::Middle ? "middle" : "end";
}

void SvgDrawing::text(PlotPoint At, StringRef Text, TextAnchor Anchor, StringRef Colour) {
  Shapes.push_back(formatv(R"(<text x="{0}" y="{1}" text-anchor="{2}" fill="{3}">{4}</text>)", pixels(At.X),
                           pixels(At.Y), nameOf(Anchor), Colour, escaped(Text)));
}

void SvgDrawing::textUpwards(PlotPoint Middle, StringRef Text) {
  Shapes.push_back(
      formatv(R"svg(<text transform="translate({0} {1}) rotate(-90)" text-anchor="middle">{2}</text>)svg",
              pixels(Middle.X), pixels(Middle.Y), escaped(Text)));
}

void SvgDrawing::line(ArrayRef<PlotPoint> Points, StringRef Colour, double Thickness) {
  auto Corners =
      map_range(Points, [](PlotPoint P) { return formatv("{0} {1}", pixels(P.X), pixels(P.Y)).str(); });
  Shapes.push_back(formatv(R"(<path d="M{0}" fill="none" stroke="{1}" stroke-width="{2}"/>)",
                           join(Corners.begin(), Corners.end(), "L"), Colour, pixels(Thickness)));
}

void SvgDrawing::dot(PlotPoint At, double Radius, StringRef Colour) {
  Shapes.push_back(formatv(R"(<circle cx="{0}" cy="{1}" r="{2}" fill="{3}"/>)", pixels(At.X), pixels(At.Y),
                           pixels(Radius), Colour));
}

void SvgDrawing::ring(PlotPoint At, double Radius, StringRef Colour) {
  Shapes.push_back(formatv(R"(<circle cx="{0}" cy="{1}" r="{2}" fill="none" stroke="{3}" stroke-width="2"/>)",
                           pixels(At.X), pixels(At.Y), pixels(Radius), Colour));
}

void SvgDrawing::bar(PlotPoint A, PlotPoint B, StringRef Colour) {
  Shapes.push_back(formatv(R"(<rect x="{0}" y="{1}" width="{2}" height="{3}" fill="{4}"/>)",
                           pixels(std::min(A.X, B.X)), pixels(std::min(A.Y, B.Y)),
                           pixels(std::abs(A.X - B.X)), pixels(std::abs(A.Y - B.Y)), Colour));
}

void SvgDrawing::print(raw_ostream &OS) const {
  OS << formatv(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" )", Width, Height)
     << "font-family=\"sans-serif\" font-size=\"13\">\n"
     << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  for (const std::string &Shape : Shapes)
    OS << Shape << '\n';
  OS << "</svg>\n";
}

/// 1, 2 or 5 times a power of ten, so that at most six of them reach \p Largest.
static double tickDistance(double Largest) {
  double Power = std::pow(10, std::floor(std::log10(Largest)) - 1);
  for (double Factor : {1, 2, 5, 10, 20, 50})
    if (Factor * Power * 6 >= Largest)
      return Factor * Power;
  return 100 * Power;
}

/// \p Value with as many digits as it takes to tell ticks apart.
static std::string tickText(double Value) {
  std::string Text;
  raw_string_ostream(Text) << format("%.6g", Value);
  return Text;
}

/// Ticks at the multiples of \p Distance.
static PlotAxis linearAxis(double First, double Last, double Distance, StringRef Label) {
  PlotAxis Axis;
  Axis.Label = Label.str();
  auto Steps = unsigned(std::round((Last - First) / Distance));
  for (unsigned Step = 0; Step <= Steps; ++Step)
    Axis.Ticks.push_back({First + Step * Distance, tickText(First + Step * Distance)});
  Axis.From = First;
  Axis.To = First + Steps * Distance;
  return Axis;
}

PlotAxis PlotAxis::upTo(double Largest, StringRef Label) {
  double Distance = tickDistance(Largest);
  return linearAxis(0, std::ceil(Largest / Distance - 1e-9) * Distance, Distance, Label);
}

PlotAxis PlotAxis::around(double Least, double Largest, StringRef Label) {
  if (Least < Largest / 2 || Least >= Largest)
    return upTo(Largest, Label);
  double Distance = tickDistance(Largest - Least);
  return linearAxis(std::floor(Least / Distance + 1e-9) * Distance,
                    std::ceil(Largest / Distance - 1e-9) * Distance, Distance, Label);
}

PlotAxis PlotAxis::logarithmic(ArrayRef<double> Values, StringRef Label) {
  PlotAxis Axis;
  Axis.Label = Label.str();
  Axis.IsLogarithmic = true;
  // Half a step of room on both sides.
  Axis.From = Values.front() / std::sqrt(2);
  Axis.To = Values.back() * std::sqrt(2);
  for (double Value : Values)
    Axis.Ticks.push_back({Value, tickText(Value)});
  return Axis;
}

double PlotAxis::place(double Value) const {
  return IsLogarithmic ? std::log(Value / From) / std::log(To / From) : (Value - From) / (To - From);
}

static constexpr StringLiteral GridColour = "#e4e4e4";

PlotArea::PlotArea(SvgDrawing &Drawing, PlotPoint Corner, PlotPoint Extent, StringRef Title, PlotAxis XAxis,
                   PlotAxis YAxis)
    : Corner(Corner), Extent(Extent), X(std::move(XAxis)), Y(std::move(YAxis)) {
  double Bottom = Corner.Y + Extent.Y, Right = Corner.X + Extent.X;
  Drawing.text({Corner.X, Corner.Y - 12}, Title);
  for (const Tick &T : X.Ticks) {
    double At = Corner.X + Extent.X * X.place(T.Value);
    Drawing.line({{At, Corner.Y}, {At, Bottom}}, GridColour);
    Drawing.text({At, Bottom + 18}, T.Text, TextAnchor::Middle);
  }
  for (const Tick &T : Y.Ticks) {
    double At = Bottom - Extent.Y * Y.place(T.Value);
    Drawing.line({{Corner.X, At}, {Right, At}}, GridColour);
    Drawing.text({Corner.X - 6, At + 4}, T.Text, TextAnchor::End);
  }
  Drawing.line({{Corner.X, Corner.Y}, {Corner.X, Bottom}, {Right, Bottom}}, "black");
  Drawing.text({Corner.X + Extent.X / 2, Bottom + 38}, X.Label, TextAnchor::Middle);
  size_t Longest = 0;
  for (const Tick &T : Y.Ticks)
    Longest = std::max(Longest, T.Text.size());
  Drawing.textUpwards({Corner.X - std::max(46.0, 8 + 9.2 * double(Longest)), Corner.Y + Extent.Y / 2},
                      Y.Label);
}

PlotPoint PlotArea::at(double XValue, double YValue) const {
  return {Corner.X + Extent.X * X.place(XValue), Corner.Y + Extent.Y * (1 - Y.place(YValue))};
}

std::vector<PlotPoint> PlotArea::at(ArrayRef<PlotPoint> Values) const {
  std::vector<PlotPoint> Result;
  for (PlotPoint Value : Values)
    Result.push_back(at(Value.X, Value.Y));
  return Result;
}

} // namespace gpuprune
