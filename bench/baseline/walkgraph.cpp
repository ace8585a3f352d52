// The peer of the walk graph: the walkable streets of a PBF, read by libosmium on two threads, become nodes where streets
// meet or end and edges of at most so many metres, small components dropped. walkgraph FILE CLASSES ACCESS MAX_EDGE_M
// MIN_NODES: the rules are the product's classes.csv and access.csv. Prints the same line as bench walkgraph. Its nodes
// stay in the order of their ids, which saves it the sorting along a curve.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#include <osmium/io/pbf_input.hpp>
#include <osmium/io/reader.hpp>
#include <osmium/osm/node.hpp>
#include <osmium/osm/way.hpp>
#include <osmium/thread/pool.hpp>

using u32 = uint32_t;
using i64 = int64_t;
using std::string;

struct Class { bool street, foot, car, home; double upTo; };
enum Permission { unknown, yes, no, reserved };

std::map<std::pair<string, string>, Class> classes;
std::unordered_map<string, Permission> permissions;

std::vector<std::vector<string>> csv(const char* path) {
  std::ifstream in(path);
  std::vector<std::vector<string>> rows;
  string line;
  for (std::getline(in, line); std::getline(in, line);) {
    std::vector<string> row;
    std::stringstream cells(line + ",");
    for (string cell; std::getline(cells, cell, ',');) row.push_back(cell);
    rows.push_back(row);
  }
  return rows;
}

void readRules(const char* classFile, const char* accessFile) {
  for (auto& r : csv(classFile)) {
    const string& foot = r[3];
    const bool limited = !foot.empty() && isdigit(foot[0]);
    classes[{r[0], r[1]}] = {r[2] != "gone" && r[2] != "none", foot == "yes" || limited, r[5] == "yes",
                             r[2] == "residential" || r[2] == "living_street", limited ? atof(foot.c_str()) : 0};
  }
  for (auto& r : csv(accessFile))
    permissions[r[0]] = r[1] == "yes" ? yes : r[1] == "no" ? no : r[1] == "private" ? reserved : unknown;
}

Permission permission(const char* value) {
  if (!*value) return unknown;
  auto found = permissions.find(value);
  return found == permissions.end() ? unknown : found->second;
}

bool notInUse(const osmium::TagList& tags) {
  for (const char* key : {"disused", "abandoned", "demolished", "removed", "razed", "ruined", "closed", "proposed", "construction"})
    if (tags.has_tag(key, "yes")) return true;
  return false;
}

double speed(const char* text) {
  char* rest;
  const double n = strtod(text, &rest);
  return strstr(rest, "mph") ? n * 1.609344 : n;
}

bool hasSidewalk(const osmium::TagList& tags) {
  for (const char* key : {"sidewalk", "sidewalk:both", "sidewalk:left", "sidewalk:right", "footway"})
    for (const char* value : {"both", "left", "right", "yes", "separate", "one_side"})
      if (tags.has_tag(key, value)) return true;
  return false;
}

bool walkable(const osmium::Way& way) {
  const auto& tags = way.tags();
  const char* kind = tags.get_value_by_key("highway");
  if (!kind || !*kind || tags.has_tag("route", "ferry")) return false;
  const string highway = kind;
  string detail;
  if (highway == "service" || highway == "footway" || highway == "cycleway") detail = tags.get_value_by_key(kind, "");
  if (highway == "path") detail = tags.get_value_by_key("path", tags.get_value_by_key("footway", ""));
  auto found = classes.find({highway, detail});
  if (found == classes.end()) found = classes.find({highway, ""});
  if (found == classes.end() || !found->second.street || notInUse(tags)) return false;
  const Class* c = &found->second;
  if (!way.nodes().empty() && way.is_closed() && tags.has_tag("area", "yes")) c = &classes[{"pedestrian", ""}];
  const Permission foot = permission(tags.get_value_by_key("foot", "")), any = permission(tags.get_value_by_key("access", ""));
  const Permission first = foot != unknown ? foot : any;
  if (first == no || (first == reserved && !c->home)) return false;
  if (foot == yes) return true;
  if (!c->foot) return false;
  if (c->car && hasSidewalk(tags)) return true;
  return !tags.has_tag("motorroad", "yes") && (c->upTo == 0 || speed(tags.get_value_by_key("maxspeed", "")) <= c->upTo);
}

// The scale of a band of latitude, as in internal/network/metric.go.
struct Metric {
  i64 band = -1;
  double x = 0, y = 0;
  double metres(osmium::Location a, osmium::Location b) {
    const i64 here = (i64(a.y()) / 2 + b.y() / 2 + 900000000) >> 16;
    if (here != band) {
      band = here;
      const double a0 = 6378137.0, f = 1 / 298.257223563, e2 = f * (2 - f), radian = M_PI / 180;
      const double lat = (double(here << 16) + (1 << 15)) / 1e7 - 90, s = sin(lat * radian), w = 1 - e2 * s * s;
      x = a0 / sqrt(w) * cos(lat * radian) * radian / 1e7;
      y = a0 * (1 - e2) / (w * sqrt(w)) * radian / 1e7;
    }
    const double dx = (double(b.x()) - a.x()) * x, dy = (double(b.y()) - a.y()) * y;
    return sqrt(dx * dx + dy * dy);
  }
};

struct Edge { u32 a, b, length, line; };

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  readRules(argv[2], argv[3]);
  const double maxEdge = atof(argv[4]);
  const u32 minNodes = atoi(argv[5]);
  osmium::thread::Pool pool{2};
  const osmium::io::File file{argv[1]};

  std::vector<i64> refs; // of all walkable ways
  std::vector<u32> ends; // of each way, in refs
  {
    osmium::io::Reader reader{file, osmium::osm_entity_bits::way, osmium::io::read_meta::no, pool};
    while (osmium::memory::Buffer buffer = reader.read())
      for (const auto& way : buffer.select<osmium::Way>())
        if (walkable(way)) {
          for (const auto& node : way.nodes()) refs.push_back(node.ref());
          ends.push_back(refs.size());
        }
  }
  std::vector<i64> ids = refs;
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  std::vector<osmium::Location> at(ids.size());
  {
    osmium::io::Reader reader{file, osmium::osm_entity_bits::node, osmium::io::read_meta::no, pool};
    size_t next = 0; // nodes of a PBF are sorted by id
    while (osmium::memory::Buffer buffer = reader.read())
      for (const auto& node : buffer.select<osmium::Node>()) {
        while (next < ids.size() && ids[next] < node.id()) next++;
        if (next < ids.size() && ids[next] == node.id()) at[next] = node.location();
      }
  }

  // The lines: the longest run of known nodes of each way, as numbers in ids.
  std::vector<u32> points, lineEnds;
  std::vector<u32> uses(ids.size());
  for (size_t way = 0, begin = 0; way < ends.size(); begin = ends[way++]) {
    std::vector<u32> run, best;
    for (size_t i = begin; i < ends[way]; i++) {
      if (i > begin && refs[i] == refs[i - 1]) continue;
      const u32 id = std::lower_bound(ids.begin(), ids.end(), refs[i]) - ids.begin();
      if (at[id].valid()) run.push_back(id); else run.clear();
      if (run.size() > best.size()) best = run;
    }
    if (best.size() < 2) continue;
    for (u32 id : best) uses[id]++;
    uses[best.front()] += 2, uses[best.back()] += 2;
    points.insert(points.end(), best.begin(), best.end());
    lineEnds.push_back(points.size());
  }
  refs = {};

  // Nodes and edges, the long ones cut into equal parts.
  std::vector<osmium::Location> nodes;
  std::vector<u32> node(ids.size(), UINT32_MAX);
  for (size_t i = 0; i < ids.size(); i++)
    if (uses[i] > 1) node[i] = nodes.size(), nodes.push_back(at[i]);
  std::vector<Edge> edges;
  std::vector<osmium::Location> shape;
  std::vector<u32> shapeEnds;
  Metric metric;
  for (size_t line = 0, begin = 0; line < lineEnds.size(); begin = lineEnds[line++])
    for (size_t first = begin, last; first + 1 < lineEnds[line]; first = last) {
      std::vector<double> along{0};
      for (last = first + 1;; last++) {
        along.push_back(along.back() + metric.metres(at[points[last - 1]], at[points[last]]));
        if (node[points[last]] != UINT32_MAX) break;
      }
      const double length = along.back();
      if (length == 0 && points[first] == points[last]) continue;
      const int parts = std::max(1, int(ceil(length / maxEdge - 1e-9)));
      u32 a = node[points[first]], done = 0;
      osmium::Location from = at[points[first]];
      size_t passed = 0;
      for (int part = 1; part <= parts; part++) {
        const double cut = length * part / parts;
        u32 b = node[points[last]];
        osmium::Location to = at[points[last]];
        shape.push_back(from);
        while (passed + 2 < along.size() && (part == parts || along[passed + 1] < cut)) shape.push_back(at[points[first + ++passed]]);
        if (part < parts) {
          const auto p = at[points[first + passed]], q = at[points[first + passed + 1]];
          const double share = (cut - along[passed]) / (along[passed + 1] - along[passed]);
          to = osmium::Location{int32_t(p.x() + lround(share * (double(q.x()) - p.x()))), int32_t(p.y() + lround(share * (double(q.y()) - p.y())))};
          b = nodes.size();
          nodes.push_back(to);
        }
        shape.push_back(to);
        shapeEnds.push_back(shape.size());
        const u32 until = lround(10 * cut);
        edges.push_back({a, b, std::max(1u, until - done), u32(line)});
        a = b, from = to, done = until;
      }
    }

  // Small components are dropped; the largest stays.
  std::vector<u32> parent(nodes.size()), size(nodes.size(), 1);
  for (u32 i = 0; i < parent.size(); i++) parent[i] = i;
  auto root = [&](u32 n) {
    while (parent[n] != n) n = parent[n] = parent[parent[n]];
    return n;
  };
  for (const Edge& e : edges) {
    u32 a = root(e.a), b = root(e.b);
    if (a == b) continue;
    if (size[a] < size[b]) std::swap(a, b);
    parent[b] = a, size[a] += size[b];
  }
  u32 dropped = 0, kept = 0, islands = 0;
  std::vector<u32> number(nodes.size(), UINT32_MAX), first;
  std::vector<char> used(nodes.size());
  for (const Edge& e : edges) used[e.a] = used[e.b] = 1;
  for (u32 i = 0; i < nodes.size(); i++) {
    if (!used[i]) continue;
    if (size[root(i)] >= minNodes) number[i] = kept++;
    else islands += root(i) == i, dropped++;
  }
  std::vector<Edge> final;
  for (const Edge& e : edges)
    if (number[e.a] != UINT32_MAX) final.push_back({number[e.a], number[e.b], e.length, e.line});

  // Arcs by node.
  first.assign(kept + 1, 0);
  for (const Edge& e : final) first[e.a + 1]++, first[e.b + 1]++;
  for (u32 i = 0; i < kept; i++) first[i + 1] += first[i];
  std::vector<u32> fill(first.begin(), first.end() - 1);
  std::vector<std::pair<u32, u32>> arcs(2 * final.size());
  for (const Edge& e : final) arcs[fill[e.a]++] = {e.b, e.length}, arcs[fill[e.b]++] = {e.a, e.length};
  printf("%zu lines, %u nodes, %zu edges, %u islands left out\n", lineEnds.size(), kept, final.size(), islands);
}
