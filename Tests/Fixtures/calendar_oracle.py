"""Answers, from ICU through PyICU, on which days a repeat falls in a calendar.

Reads one question a line, "calendar anchor unit every monthEnd count", and writes one line of days
(or - where the month's end leaves one out) for k = 0 to count - 1. Months and years are what ICU's
add() gives from the anchor. Where the header of plugins says more than add() does, days are found by
looking at the fields of one day after the other.
"""
import sys

import icu

F = icu.UCalendarDateFields
IS_LEAP_MONTH = 22
ZONE = icu.TimeZone.createTimeZone("Etc/UTC")


class Calendar:
    def __init__(self, name):
        self.lunisolar = name in ("chinese", "dangi")
        self.calendar = icu.Calendar.createInstance(ZONE, icu.Locale("root@calendar=" + name))
        self.calendar.setFirstDayOfWeek(2)
        self.calendar.setMinimalDaysInFirstWeek(4)

    def go(self, day):
        self.calendar.setTime(day * 86400.0 + 43200)

    def get(self, *fields):
        return tuple(self.calendar.get(field) for field in fields)

    def month_of(self, day):
        self.go(day)
        return self.get(F.EXTENDED_YEAR, F.MONTH, IS_LEAP_MONTH)

    def add(self, anchor, field, amount):
        self.go(anchor)
        self.calendar.add(field, amount)
        return int(self.calendar.getTime() // 86400)

    def week_year(self, anchor, years, month_end):
        """The same week and weekday of another year; if that week is missing, the last one, none, or
        the one after it."""
        fields = (F.YEAR_WOY, F.WEEK_OF_YEAR, F.DAY_OF_WEEK)
        self.go(anchor)
        year, week, weekday = self.get(*fields)
        found = None
        middle = anchor + int(years * 354.3)
        for day in range(middle - 60, middle + years * 12 + 60):
            self.go(day)
            fields_of_day = self.get(*fields)
            if fields_of_day[0] == year + years and fields_of_day[2] == weekday:
                if fields_of_day[1] <= week:
                    found, found_week = day, fields_of_day[1]
        if found_week == week or month_end == "clamp":
            return found
        return None if month_end == "skip" else found + 7

    def namesake(self, anchor, years):
        """A leap month's day in a year that lacks the month: the one without leap."""
        self.go(anchor)
        year, month, day_of_month = self.get(F.EXTENDED_YEAR, F.MONTH, F.DATE)
        wanted = {}
        middle = anchor + int(years * 365.2425)
        for day in range(middle - 70, middle + 70):
            key = self.month_of(day)
            if key[:2] == (year + years, month):
                date = self.calendar.get(F.DATE)
                if date <= day_of_month:
                    wanted[key[2]] = max(wanted.get(key[2], 0), day)
        return wanted.get(1, wanted.get(0))

    def occurrence(self, anchor, unit, amount, month_end):
        if amount == 0:
            return anchor
        if unit == "yearForWeekOfYear":
            return self.week_year(anchor, amount, month_end)
        self.go(anchor)
        leap, date = self.get(IS_LEAP_MONTH, F.DATE)
        if unit == "year" and self.lunisolar and leap:
            day = self.namesake(anchor, amount)
        elif unit == "year":
            day = self.add(anchor, F.YEAR, amount)
        else:
            day = self.add(anchor, F.MONTH, amount * (3 if unit == "quarter" else 1))
        self.go(day)
        if self.calendar.get(F.DATE) == date or month_end == "clamp":
            return day
        return None if month_end == "skip" else day + 1


calendars = {}
for line in sys.stdin:
    name, anchor, unit, every, month_end, count = line.split()
    calendar = calendars.setdefault(name, Calendar(name))
    days = [
        calendar.occurrence(int(anchor), unit, k * int(every), month_end)
        for k in range(int(count))
    ]
    print(" ".join("-" if day is None else str(day) for day in days), flush=True)
