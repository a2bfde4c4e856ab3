const DAY_MS = 86_400_000;

/** Business days from today to the given day; today and weekends do not count (README, assumptions). */
export function businessDaysUntil(isoDay: string, now: Date): number {
  const today = Date.parse(`${now.toISOString().slice(0, 10)}T00:00:00Z`);
  const target = Date.parse(`${isoDay}T00:00:00Z`);
  let days = 0;
  for (let day = today + DAY_MS; day <= target; day += DAY_MS) {
    const weekday = new Date(day).getUTCDay();
    if (weekday !== 0 && weekday !== 6) days += 1;
  }
  return days;
}

/** How the platform names landline numbers. */
const WIRELINE = /land|wire ?line|fixed/i;

/**
 * The window of a wireline number: a business day, 5 to 10 business days ahead (PLATFORM.md, Port-in). If the
 * number is not known to be one, the platform judges the date.
 */
export function portInWindow(
  input: { PortInDate?: string | undefined; TargetPortinClassification?: string | undefined },
  now: Date,
) {
  if (input.PortInDate === undefined || !WIRELINE.test(input.TargetPortinClassification ?? '')) return undefined;
  const days = businessDaysUntil(input.PortInDate, now);
  const weekend = [0, 6].includes(new Date(`${input.PortInDate}T00:00:00Z`).getUTCDay());
  if (!weekend && days >= 5 && days <= 10) return undefined;
  const why = weekend ? 'on a weekend' : `${days} business days away`;
  return {
    field: 'PortInDate',
    message: `${input.PortInDate} is ${why}; a wireline number needs a business day 5 to 10 business days ahead (today and weekends do not count). Pick another day`,
  };
}
