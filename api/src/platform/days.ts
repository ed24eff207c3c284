/** UTC days in the format `YYYY-MM-DD`. Times in Unix seconds. */
export const dayOf = (unixSeconds: number): string => new Date(unixSeconds * 1000).toISOString().slice(0, 10);
export const startOfDay = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000;
export const addDays = (day: string, days: number): string => dayOf(startOfDay(day) + days * 86_400);
