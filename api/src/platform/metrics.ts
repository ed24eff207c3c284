import { Counter, Gauge, type Registry } from 'prom-client';

export const counter = <L extends string = never>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: L[] = [],
): Counter<L> => new Counter({ name, help, labelNames, registers: [registry] });

/** Null: not known now, so that no value is shown. */
type Reading = number | null;
/** A reading for each label. */
type Readings = ReadonlyMap<string, Reading> | null;

/** A gauge that is read whenever metrics are asked for. */
export function gauge(registry: Registry, name: string, help: string, read: () => Reading | Promise<Reading>): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      const value = await read();
      if (value === null) this.remove();
      else this.set(value);
    },
  });
}

/** The same for each value of a label. */
export function gauges<L extends string>(
  registry: Registry,
  name: string,
  help: string,
  label: L,
  read: () => Readings | Promise<Readings>,
): void {
  new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    async collect() {
      const values = await read();
      this.reset();
      for (const [of, value] of values ?? []) if (value !== null) this.set({ [label]: of } as Record<L, string>, value);
    },
  });
}
