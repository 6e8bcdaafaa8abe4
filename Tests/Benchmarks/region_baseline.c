/* What `SchedulerBenchmark regions` does, by looking at every region at each fix: by haversine, and
 * by straight lines between points on a sphere.
 *
 * usage: region_baseline COUNT FIXES   NANOSECONDS_PER_FIX CROSSINGS, a line a way
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const double earth = 6371008.7714;
static uint64_t state;

struct region {
  double latitude, longitude, cosine, x, y, z;
  /* The squares of half the chord and of the chord to enter within, and to leave beyond. */
  double enter, leave;
  int side; /* -1: not known */
};

static double next(void) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(state >> 33) / 2147483648.0;
}

static double radians(double degrees) { return degrees * M_PI / 180; }

static double square(double number) { return number * number; }

static double half_chord(double metres) { return square(sin(metres / earth / 2)); }

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static double haversine(const struct region *region, double latitude, double longitude,
                        double cosine) {
  return square(sin((region->latitude - latitude) / 2)) +
         region->cosine * cosine * square(sin((region->longitude - longitude) / 2));
}

static int fix(struct region *regions, int count, double latitude, double longitude, int chords) {
  int crossings = 0;
  double cosine = cos(latitude), x = cosine * cos(longitude), y = cosine * sin(longitude),
         z = sin(latitude);
  for (int i = 0; i < count; i++) {
    struct region *region = &regions[i];
    double way = chords ? (square(region->x - x) + square(region->y - y) + square(region->z - z)) / 4
                        : haversine(region, latitude, longitude, cosine);
    int side = way <= (region->side == 1 ? region->leave : region->enter);
    crossings += region->side >= 0 && region->side != side;
    region->side = side;
  }
  return crossings;
}

static void run(int count, int fixes, int chords) {
  struct region *regions = calloc(count, sizeof *regions);
  state = 1;
  for (int i = 0; i < count; i++) {
    struct region *region = &regions[i];
    region->latitude = radians(52 + next());
    region->longitude = radians(13 + next());
    double radius = 50 + 450 * next();
    region->cosine = cos(region->latitude);
    region->x = region->cosine * cos(region->longitude);
    region->y = region->cosine * sin(region->longitude);
    region->z = sin(region->latitude);
    region->enter = half_chord(radius);
    region->leave = half_chord(radius + fmin(fmax(radius / 10, 5), 100));
    region->side = -1;
  }
  double latitude = 52.5, longitude = 13.4;
  int64_t crossings = 0, began = 0;
  for (int i = -1; i < fixes; i++) {
    latitude += (next() - 0.5) * 0.002;
    longitude += (next() - 0.5) * 0.002;
    if (i == 0) began = now();
    crossings += fix(regions, count, radians(latitude), radians(longitude), chords);
  }
  printf("%jd %jd\n", (intmax_t)((now() - began) / fixes), (intmax_t)crossings);
  free(regions);
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  for (int chords = 0; chords < 2; chords++) run(atoi(argv[1]), atoi(argv[2]), chords);
  return 0;
}
