import { useTranslation } from 'react-i18next';
import type { AuditEntry, AuditWorkers } from '../../api/schemas';
import { ALGORITHMS, isAlgorithm } from '../../domain';
import { useTexts } from '../../i18n/use-texts';
import { DASH, useFormat } from '../core';
import { formatClock } from '../core/format/time';

/** Namespace of the audit log's texts. */
export const AUDIT_TEXTS = 'audit';
const DAY = /^\d{4}-\d\d-\d\d$/;
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
/** Fields whose values are words of the product, not of people. */
const NAMED = ['role', 'status', 'reason', 'source', 'scopes', 'events', 'mailEvents', 'withhold', 'mutedUntil'];
/** Rates that are stored as parts of 1. */
const PARTS = ['alertLimit'];
const PRICES = ['priceBtc', 'newbee_cost'];
/** Numbers whose decimals count. */
const DECIMALS = ['usdPerKwh', 'kilowatts'];
const USD = ['btcPriceUsd', 'usdAtSend'];
/** Minutes of a day. */
const CLOCKS = ['from', 'to'];
/** Said after what they are of; the others keep their order. */
const LAST = ['since', 'source', 'knownAt', 'holdUntil'];
/** Name of the value of a term, whose unit is that of the term, which is the subject. */
const TERM_VALUE = 'value';

/** What a change of workers says of them, whatever became of it. */
const WORKERS = 'workers';
/** Numbers inside the pool, which nobody knows anything by. */
const INTERNAL = ['id', 'ids', 'subAccountId', 'subAccountIds'];
/** Workers that are named in a line, not only counted, and groups. */
const FEW = 3;

export type Change = { field: string; before: string; after: string };

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isNothing = (value: unknown): boolean => value === undefined || value === null;

/** Words for the audit log. What has none keeps its own name. */
export function useAuditText() {
  const { t } = useTranslation();
  const { arrow, btc, count, day, hashrateText, isolated, language, moment, percent, price, usd } = useFormat();
  useTexts(AUDIT_TEXTS);
  const nameOf = (field: string): string =>
    isAlgorithm(field) ? ALGORITHMS[field].label : t(`ui.audit.field.${field}`, { defaultValue: field });

  const numberOf = (field: string, value: number): string => {
    if (field.endsWith('Sat')) return `${btc(value)} BTC`;
    if (field.toLowerCase().endsWith('percent') || field === 'pool_fee' || field === 'newbee_adjust')
      return percent(value / 100);
    if (PARTS.includes(field)) return percent(value);
    if (PRICES.includes(field)) return `${price(value)} BTC`;
    if (DECIMALS.includes(field)) return price(value);
    if (USD.includes(field)) return usd(value);
    if (field === 'hashrate') return hashrateText(value);
    if (CLOCKS.includes(field)) return formatClock(language, 'utc', value * 60);
    // Ports and numbers of things are names, without separators.
    return Number.isInteger(value) && value < 100_000 ? String(value) : count(value);
  };
  const stringOf = (field: string, value: string): string => {
    if (isAlgorithm(value)) return ALGORITHMS[value].label;
    if (INSTANT.test(value)) return moment(value);
    if (DAY.test(value)) return day(value, true);
    if (!NAMED.includes(field)) return value;
    return t(`ui.audit.value.${value}`, { defaultValue: t(`ui.state.${value}`, { defaultValue: value }) });
  };
  const shortList = (names: readonly string[], total = names.length, most = FEW): string =>
    [...names.slice(0, most), ...(total > most ? [t('ui.audit.andMore', { n: count(total - most) })] : [])].join(', ');
  /** `400 workers (Hall D)`; the names of few, and of all when they are wanted. */
  const workersOf = (groups: AuditWorkers, named: boolean): string => {
    const total = groups.reduce((sum, group) => sum + group.count, 0);
    const names = groups.flatMap((group) => group.names);
    const isFew = total <= FEW && names.length === total;
    const workers = isFew ? shortList(names) : t('ui.audit.workers', { count: total });
    const places = groups.map(({ group }) => group ?? t('ui.audit.noGroup'));
    const known = groups.some(({ group }) => group !== null)
      ? t('ui.audit.workersOf', { workers, groups: shortList(places) })
      : workers;
    return named && !isFew && names.length > 0 ? `${known}: ${shortList(names, total, names.length)}` : known;
  };
  const valueOf = (field: string, value: unknown): string => {
    if (isNothing(value)) return '';
    if (typeof value === 'boolean') return t(value ? 'ui.audit.yes' : 'ui.audit.no');
    if (typeof value === 'number') return numberOf(field, value);
    if (typeof value === 'string') return stringOf(field, value);
    const list = new Intl.ListFormat(language, { type: 'unit', style: 'short' });
    if (Array.isArray(value)) return list.format(value.map((each) => valueOf(field, each)));
    // A pool on a list is known by its name.
    const { id: _id, poolConfigId: _pool, ...said } = value as Record<string, unknown>;
    return list.format(Object.entries(said).map(([name, part]) => `${nameOf(name)} ${valueOf(name, part) || DASH}`));
  };

  /** Fields that differ; of an entry without a state before, all it says. */
  const changes = ({ action, subject, before, after }: AuditEntry, named = false): Change[] => {
    const unitOf = (field: string): string =>
      action === 'terms.change' && field === TERM_VALUE ? (subject ?? field) : field;
    const lineOf = (field: string, from: unknown, to: unknown): Change => ({
      field: field && nameOf(field),
      before: valueOf(unitOf(field), from),
      after: valueOf(unitOf(field), to),
    });
    const [from, to] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}];
    const fields = [...new Set([...Object.keys(from), ...Object.keys(to)])]
      .filter((field) => !INTERNAL.includes(field))
      .sort((a, b) => LAST.indexOf(a) - LAST.indexOf(b));
    const lines = fields.map((field) =>
      field === WORKERS && Array.isArray(from[field])
        ? { field: nameOf(field), before: '', after: workersOf(from[field] as AuditWorkers, named) }
        : lineOf(field, from[field], to[field]),
    );
    if (!isRecord(before) && !isRecord(after)) lines.push(lineOf('', before, after));
    return lines.filter((line) => line.before !== line.after);
  };
  return {
    action: (action: string): string => t(`ui.action.${action}`, { defaultValue: action }),
    /** `SHA256_ASICBOOST/2026-11-21` as `SHA256 · 21 Nov 2026`, the number of what has a name as `North · 10`. */
    subject: ({ action, subject, before, after }: AuditEntry): string => {
      if (subject === null) return DASH;
      if (action === 'terms.change') return nameOf(subject);
      const named = /^\d+$/.test(subject) && [after, before].find((state) => isRecord(state) && state.name);
      const parts = [...(isRecord(named) ? [String(named.name)] : []), ...subject.split('/')];
      return parts.map((part) => stringOf('', part)).join(' · ');
    },
    changes,
    /** One line: `Role: Miner → Admin`. */
    change: (entry: AuditEntry, named = false): string =>
      changes(entry, named)
        .map(
          ({ field, before, after }) =>
            `${field && `${field}: `}${before && `${isolated(before)} ${arrow} `}${isolated(after) || DASH}`,
        )
        .join('; ') || DASH,
  };
}
