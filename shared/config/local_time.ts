/**
 * Local times of day as instants, through the runtime's own time zone data. A local time that a clock change skips
 * counts as the one an hour later, of one that comes twice the first counts. Pure.
 */

/** ms since 1970 of a time of day, seconds since midnight, on a date in a time zone. Throws RangeError for no such zone. */
export function instantOf(day: Temporal.PlainDate, secondOfDay: number, timeZone: string): number {
  const plainTime = Temporal.PlainTime.from({
    hour: Math.floor(secondOfDay / 3600),
    minute: Math.floor(secondOfDay / 60) % 60,
    second: secondOfDay % 60,
  });
  return day.toZonedDateTime({ timeZone, plainTime }).epochMilliseconds;
}

/** The local date of an instant, ms since 1970. Throws RangeError for no such zone. */
export function localDate(epochMs: number, timeZone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(Math.floor(epochMs)).toZonedDateTimeISO(timeZone)
    .toPlainDate();
}
