/* What RuleBenchmark does, by libical's iterator and by glibc's localtime_r.
 *
 * usage: rule_baseline rules START COUNT RULE...   NANOSECONDS_PER_OCCURRENCE LAST, a line a rule
 *        TZ=ZONE rule_baseline zone COUNT          NANOSECONDS_PER_LOOKUP SUM
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <libical/ical.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static void rule(int64_t start, int count, const char *text) {
  struct icalrecurrencetype rule = icalrecurrencetype_from_string(text);
  struct icaltimetype from =
      icaltime_from_timet_with_zone(start, 0, icaltimezone_get_utc_timezone());
  struct icaltimetype last = from;
  int64_t best = INT64_MAX;
  for (int pass = 0; pass < 3; pass++) {
    int64_t begin = now();
    icalrecur_iterator *iterator = icalrecur_iterator_new(rule, from);
    for (int i = 0; i < count; i++) {
      struct icaltimetype next = icalrecur_iterator_next(iterator);
      if (icaltime_is_null_time(next)) break;
      last = next;
    }
    icalrecur_iterator_free(iterator);
    int64_t took = now() - begin;
    if (took < best) best = took;
  }
  printf("%.1f %jd\n", (double)best / count, (intmax_t)icaltime_as_timet(last));
}

static void zone(int count) {
  int64_t best = INT64_MAX;
  int64_t sum = 0;
  tzset();
  for (int pass = 0; pass < 3; pass++) {
    int64_t begin = now();
    uint64_t number = 1;
    sum = 0;
    for (int i = 0; i < count; i++) {
      number = number * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      time_t time = (time_t)((number >> 33) % UINT64_C(4102444800));
      struct tm civil;
      localtime_r(&time, &civil);
      sum += civil.tm_mday + civil.tm_hour + civil.tm_min;
    }
    int64_t took = now() - begin;
    if (took < best) best = took;
  }
  printf("%.1f %jd\n", (double)best / count, (intmax_t)sum);
}

int main(int argc, char **argv) {
  if (argc == 3 && strcmp(argv[1], "zone") == 0) {
    zone(atoi(argv[2]));
    return 0;
  }
  if (argc < 5 || strcmp(argv[1], "rules") != 0) return 2;
  for (int i = 4; i < argc; i++) rule(atoll(argv[2]), atoi(argv[3]), argv[i]);
  return 0;
}
