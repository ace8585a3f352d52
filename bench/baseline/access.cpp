// The peer of the access engine: for every node a bounded Dijkstra over the same arcs, with the sums over all places
// within reach in one pass, on all cores. access FILE: the file is written by bench/access.go. Prints the seconds of
// the search alone and two checksums of the sums.
#include <chrono>
#include <functional>
#include <queue>

#include "lists.hpp"

constexpr u32 far = UINT32_MAX;

struct Arc { u32 to, length; };

// A place as seen from an end of its edge: so far from here, so far from the other end. main is true at one of the two.
struct Place { u32 klass, here, other, there, main; };

int main(int, char** argv) {
  FILE* f = fopen(argv[1], "rb");
  if (!f) return 1;
  auto first = read<u32>(f);
  auto arcs = read<Arc>(f);
  auto begins = read<u32>(f);
  auto places = read<Place>(f);
  auto weight = read<u32>(f);
  const u32 classes = read<u32>(f)[0], reach = 10 * weight.size() - 1;
  const long n = first.size() - 1;
  std::vector<u64> sums(n * classes);
  auto begun = std::chrono::steady_clock::now();
#pragma omp parallel
  {
    std::vector<u32> dist(n, far), settled;
#pragma omp for schedule(dynamic, 256)
    for (long from = 0; from < n; from++) {
      std::priority_queue<u64, std::vector<u64>, std::greater<u64>> queue;
      settled.clear();
      dist[from] = 0;
      queue.push(from);
      while (!queue.empty()) {
        u32 d = queue.top() >> 32, node = u32(queue.top());
        queue.pop();
        if (d != dist[node]) continue;
        settled.push_back(node);
        for (u32 a = first[node]; a < first[node + 1]; a++) {
          u32 next = d + arcs[a].length;
          if (next <= reach && next < dist[arcs[a].to]) {
            dist[arcs[a].to] = next;
            queue.push(u64(next) << 32 | arcs[a].to);
          }
        }
      }
      u64* out = &sums[from * classes];
      for (u32 node : settled)
        for (u32 i = begins[node]; i < begins[node + 1]; i++) {
          const Place& p = places[i];
          u32 d = dist[node] + p.here;
          if (p.other != far && dist[p.other] != far) {
            if (!p.main) continue;
            if (dist[p.other] + p.there < d) d = dist[p.other] + p.there;
          }
          if (d <= reach) out[p.klass] += weight[d / 10];
        }
      for (u32 node : settled) dist[node] = far;
    }
  }
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  u64 sum = 0, mix = 0;
  for (u64 i = 0; i < sums.size(); i++) {
    sum += sums[i];
    mix ^= (sums[i] + i) * 0x9E3779B97F4A7C15ull;
  }
  printf("%.6f %lu %lu\n", seconds, sum, mix);
}
