/** Compares the counts that a remote shows beside its links with the contract of the API. */
import { z } from 'zod';
import { abilityFor, allows } from '../../shared/src/contract/ability';
import { contract, type Endpoint } from '../../shared/src/api/contract';
import { ALGORITHM_NAMES } from '../../shared/src/domain';
import { faultsOf, type RemoteSource } from '../../shared/src/contract/remote-schema';

const ABILITIES = [
  abilityFor({ role: 'miner', isLegacyUser: false }),
  abilityFor({ role: 'miner', isLegacyUser: true }),
  abilityFor({ role: 'miner', isLegacyUser: false, readOnly: true }),
  abilityFor({ role: 'admin', isLegacyUser: false }),
];
const VALUES: Record<string, string> = { '{account}': 'account', '{algorithm}': ALGORITHM_NAMES[0] ?? '' };

type Shape = { type?: string; properties?: Record<string, Shape>; anyOf?: Shape[] };
const hasNumber = (response: z.ZodType, field: string): boolean => {
  const whole = z.toJSONSchema(response, { unrepresentable: 'any' }) as Shape;
  const at = field.split('.').reduce<Shape | undefined>((shape, name) => shape?.properties?.[name], whole);
  return [at, ...(at?.anyOf ?? [])].some((shape) => shape?.type === 'integer' || shape?.type === 'number');
};

export function faultsOfBadges({ nav, requires }: RemoteSource): string[] {
  return nav.flatMap(({ badge, requires: ofLink }, index) => {
    if (typeof badge?.count !== 'object') return [];
    const { call, query = {}, field } = badge.count;
    const at = `remote.json: nav[${index}].badge.count.`;
    const endpoint = (contract as Partial<Record<string, Endpoint>>)[call];
    if (!endpoint || endpoint.params)
      return [`${at}call: the contract has no '${call}' without parameters in its path`];
    const asked = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, VALUES[value] ?? value]));
    const { error } = (endpoint.query ?? z.strictObject({})).safeParse(asked);
    const refused = ABILITIES.filter((ability) => [requires, ofLink].every((rule) => allows(ability, rule))).some(
      (ability) => !allows(ability, endpoint.requires),
    );
    return [
      ...(error ? faultsOf(error).map((fault) => `${at}query: ${fault}`) : []),
      ...(hasNumber(endpoint.response, field) ? [] : [`${at}field: the answer of ${call} has no number '${field}'`]),
      ...(refused ? [`${at}call: not everybody who sees the link may make it; the link needs a \`requires\``] : []),
    ];
  });
}
