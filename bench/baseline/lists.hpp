// Lists as the bench writes them for its peers: the number of elements in 8 bytes, then the elements.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

using i32 = int32_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;

template <class T> std::vector<T> read(FILE* f) {
  u64 n;
  if (fread(&n, 8, 1, f) != 1) exit(1);
  std::vector<T> v(n);
  if (n && fread(v.data(), sizeof(T), n, f) != n) exit(1);
  return v;
}
