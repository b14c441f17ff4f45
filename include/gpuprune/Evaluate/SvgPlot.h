//===- SvgPlot.h - Plots as SVG ------------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_EVALUATE_SVGPLOT_H
#define GPUPRUNE_EVALUATE_SVGPLOT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace gpuprune {

struct PlotPoint {
  double X = 0, Y = 0;
};

enum class TextAnchor { Start, Middle, End };

/// Shapes on a white page, in pixels from its upper left corner. The same calls give the same bytes.
class SvgDrawing {
public:
  SvgDrawing(unsigned Width, unsigned Height) : Width(Width), Height(Height) {}

  void text(PlotPoint At, llvm::StringRef Text, TextAnchor Anchor = TextAnchor::Start,
            llvm::StringRef Colour = "black");
  /// Text that reads from below to above.
  void textUpwards(PlotPoint Middle, llvm::StringRef Text);
  void line(llvm::ArrayRef<PlotPoint> Points, llvm::StringRef Colour, double Thickness = 1);
  void dot(PlotPoint At, double Radius, llvm::StringRef Colour);
  void ring(PlotPoint At, double Radius, llvm::StringRef Colour);
  /// \p A and \p B are opposite corners.
  void bar(PlotPoint A, PlotPoint B, llvm::StringRef Colour);

  void print(llvm::raw_ostream &OS) const;

private:
  unsigned Width, Height;
  std::vector<std::string> Shapes;
};

struct Tick {
  double Value = 0;
  std::string Text;
};

struct PlotAxis {
  std::string Label;
  double To = 1; ///< From 0, or where it is logarithmic from From.
  double From = 0;
  bool IsLogarithmic = false;
  std::vector<Tick> Ticks;

  /// From 0 to \p Largest or a little more, with ticks at round numbers.
  static PlotAxis upTo(double Largest, llvm::StringRef Label);
  /// From \p Least or a little less to \p Largest or a little more; from 0 where they are far apart.
  static PlotAxis around(double Least, double Largest, llvm::StringRef Label);
  /// Ticks at \p Values, evenly spaced if each is twice the one before; not empty.
  static PlotAxis logarithmic(llvm::ArrayRef<double> Values, llvm::StringRef Label);

  /// Where \p Value lies, from 0 to 1.
  double place(double Value) const;
};

/// A part of a drawing with two axes.
class PlotArea {
public:
  /// Draws title, grid, ticks and labels. \p Corner is the upper left one of what the axes enclose.
  PlotArea(SvgDrawing &Drawing, PlotPoint Corner, PlotPoint Extent, llvm::StringRef Title, PlotAxis X,
           PlotAxis Y);

  PlotPoint at(double X, double Y) const;
  std::vector<PlotPoint> at(llvm::ArrayRef<PlotPoint> Values) const;

private:
  PlotPoint Corner, Extent;
  PlotAxis X, Y;
};

} // namespace gpuprune

#endif // GPUPRUNE_EVALUATE_SVGPLOT_H
