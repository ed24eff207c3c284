/** SQL of a time as answers have it: ISO 8601, UTC, milliseconds. `column`: SQL of a `timestamptz`. */
export const isoTime = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
