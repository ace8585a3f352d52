// The peer of one-to-all by transit: a connection scan for each departure of the window, with labels by number of rides, then the
// fastest of all walks from stops to each node and percentiles over the departures. csa FILE: the file is written by bench/travel.
// Prints the processor seconds of the searches and two checksums of the seconds of all origins, nodes and percentiles.
#include <algorithm>
#include <ctime>

#include "lists.hpp"

constexpr i32 never = INT32_MAX;
constexpr u16 unreached = 1 << 14;

struct Connection { u32 from, to; i32 leaves, arrives; u32 trip, flags; };  // flags: 1 nobody boards, 2 nobody gets off
struct Leg { u32 stop, seconds; };

int main(int, char** argv) {
  FILE* f = fopen(argv[1], "rb");
  if (!f) return 1;
  auto params = read<u32>(f);
  const u32 stops = params[0], trips = params[1], window = params[2], rides = params[3];
  const i32 wait = params[4], limit = 60 * params[5], depart = params[6];
  auto percentiles = read<u32>(f);
  auto connections = read<Connection>(f);  // by departure
  auto transferFirst = read<u32>(f);
  auto transfers = read<Leg>(f);
  auto nodeFirst = read<u32>(f);
  auto legs = read<Leg>(f);
  auto accessFirst = read<u32>(f);
  auto access = read<Leg>(f);

  std::vector<i32> ride(stops * rides), reach(stops * rides);
  std::vector<uint8_t> aboard(trips);
  std::vector<u16> row(size_t(stops) * window), best(window), sorted(window);
  std::vector<bool> reached(stops);
  u64 sum = 0, mix = 0, number = 0;
  const clock_t begun = clock();
  for (size_t origin = 0; origin + 1 < accessFirst.size(); origin++) {
    std::fill(row.begin(), row.end(), unreached);
    std::fill(reached.begin(), reached.end(), false);
    for (u32 minute = 0; minute < window; minute++) {
      const i32 at = depart + 60 * i32(minute), horizon = at + limit;
      std::fill(ride.begin(), ride.end(), never);
      std::fill(reach.begin(), reach.end(), never);
      std::fill(aboard.begin(), aboard.end(), uint8_t(rides));
      auto be = [&](u32 stop, u32 round, i32 when) {
        i32* label = &reach[stop * rides];
        for (; round < rides && when < label[round]; round++) label[round] = when;
      };
      for (u32 a = accessFirst[origin]; a < accessFirst[origin + 1]; a++)
        if (access[a].seconds <= u32(limit)) be(access[a].stop, 0, at + i32(access[a].seconds));
      auto c = std::lower_bound(connections.begin(), connections.end(), at, [](const Connection& c, i32 at) { return c.leaves < at; });
      for (; c != connections.end() && c->leaves <= horizon; ++c) {
        uint8_t& on = aboard[c->trip];
        if (!(c->flags & 1)) {
          const i32* label = &reach[c->from * rides];
          for (u32 round = 0; round < on; round++)
            if (label[round] != never && label[round] + wait <= c->leaves) on = round;
        }
        if (on == rides || c->arrives > horizon || c->flags & 2) continue;
        i32* label = &ride[c->to * rides];
        if (c->arrives >= label[on]) continue;
        for (u32 round = on; round < rides && c->arrives < label[round]; round++) label[round] = c->arrives;
        if (on + 1u == rides) continue;
        be(c->to, on + 1, c->arrives);
        for (u32 t = transferFirst[c->to]; t < transferFirst[c->to + 1]; t++) {
          const i32 there = c->arrives + i32(transfers[t].seconds);
          if (there > horizon) break;
          be(transfers[t].stop, on + 1, there);
        }
      }
      for (u32 s = 0; s < stops; s++) {
        const i32 when = ride[s * rides + rides - 1];
        if (when == never) continue;
        row[size_t(s) * window + minute] = u16(when - at);
        reached[s] = true;
      }
    }
    for (size_t node = 0; node + 1 < nodeFirst.size(); node++) {
      std::fill(best.begin(), best.end(), unreached);
      for (u32 l = nodeFirst[node]; l < nodeFirst[node + 1]; l++) {
        if (!reached[legs[l].stop]) continue;
        const u16* from = &row[size_t(legs[l].stop) * window];
        const u16 walk = legs[l].seconds;
        for (u32 i = 0; i < window; i++) best[i] = std::min<u16>(best[i], from[i] + walk);
      }
      sorted = best;
      auto begin = sorted.begin();
      for (u32 p : percentiles) {
        auto rank = sorted.begin() + ((p * window + 99) / 100 - 1);
        std::nth_element(begin, rank, sorted.end());
        const u16 value = *rank > limit ? unreached : *rank;
        begin = rank;
        sum += value;
        mix ^= (value + number++) * 0x9E3779B97F4A7C15;
      }
    }
  }
  printf("%.6f %llu %llu\n", double(clock() - begun) / CLOCKS_PER_SEC, (unsigned long long)sum, (unsigned long long)mix);
}
