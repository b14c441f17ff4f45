// Launches with arguments as a launch with <<<...>>> takes them. VALUES: a program that holds what becomes of
// them against what C++ converts, without a driver.
#include "types.h"

enum Mode : unsigned char { Off, On };
enum class Kind { A, B };
struct Half {
  unsigned short bits;
};
struct Pad {
  char c;
  double d;
};

#ifdef VALUES
template <typename T> using Integer = gpuprune_tuned::types::Integer<T>;

int main() {
  bool Right = Integer<bool>(8).Value && Integer<bool>(0.25).Value && !Integer<bool>(0).Value;
  Right &= Integer<std::int8_t>(200).Value == std::int8_t(200) && Integer<std::int16_t>(70000).Value == 4464;
  Right &= Integer<std::int32_t>(Kind::B).Value == 1 && Integer<std::int8_t>(On).Value == 1;
  Right &= Integer<std::int32_t>(2.5).Value == 2;
  Right &= std::uint32_t(Integer<std::int32_t>(3e9).Value) == 3000000000u; // Of an unsigned parameter.
  Right &= std::uint64_t(Integer<std::int64_t>(~0ull).Value) == ~0ull;
  Right &= std::uint64_t(Integer<std::int64_t>(1e19).Value) == 10000000000000000000u &&
           Integer<std::int64_t>(-2.5f).Value == -2;
  return Right ? 0 : 1;
}
#else
CUresult all(float *Out, const Pad &P) {
  Half H{2};
  using gpuprune_tuned::types::launch;
#if defined(POINTER)
  return launch(1, 128, 0, nullptr, Out, Out, 3, 5, On, Kind::B, H, P, 7);
#elif defined(NUMBER)
  return launch(1, 128, 0, nullptr, Out, 1, 3, 5, On, Kind::B, H, 2.0, 7);
#else
  CUresult Result = launch(1, 128, 0, nullptr, Out, 1, 3, 5, On, Kind::B, H, P, 7);
  Result = launch(1, 128, 0, nullptr, Out, true, 'c', short(5), Off, 0, H, Pad{1, 2.0}, 7u);
  return launch(1, 128, 0, nullptr, Out, 8, 200, 70000, 1, 2.5, H, P, 7ll) ? CUDA_ERROR_INVALID_VALUE
                                                                           : Result;
#endif
}
#endif
