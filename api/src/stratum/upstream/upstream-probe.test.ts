import { LIMITS } from '../wire/limits';
import { eventually } from '../../testing/eventually';
import { StubUpstream } from '../testing/upstream';
import { Probe } from './upstream-probe';
import { UpstreamState } from './upstream-state';

it('an upstream lost during a successful probe is probed again soon, not at the next round', async () => {
  const upstream = await new StubUpstream().start();
  let lost = false;
  const state: UpstreamState = new UpstreamState(upstream.target, LIMITS, {
    onSuspect: () => undefined,
    onChange: () => {
      if (lost || state.state !== 'active') return;
      lost = true;
      // Miners' connections do so before the probe's own has closed.
      setImmediate(() => {
        state.failed({ word: 'lost', why: 'gone' }, 0, true);
        probe.lost();
      });
    },
  });
  const probe = new Probe(state, {
    limits: { ...LIMITS, backoffMs: 20, backoffMaxMs: 100 },
    times: { everyMs: 3_600_000, downMaxMs: 100 },
    holdMs: () => 0,
  });
  try {
    await eventually(() => lost && state.state === 'active', 'found working again');
    expect(upstream.connects).toBeGreaterThanOrEqual(2);
  } finally {
    probe.stop();
    await upstream.kill();
  }
});
