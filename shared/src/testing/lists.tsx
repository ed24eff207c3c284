/** What every list owes its reader, tested the same way for all of them. */
import { act, screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import type { Call } from '../api/contract';
import { fakeApi, problem, refusing, renderPage, type FakeAnswers, type RenderOptions } from './render';

export type ListCase = {
  /** Its accessible name: of its table or of the region around it. */
  list: string;
  page: ReactNode;
  at: Pick<RenderOptions, 'path' | 'route'>;
  /** All that its page asks for. */
  answers: FakeAnswers;
  /** The call that brings the list. */
  call: Call;
  /** Name of one of its rows. */
  row: string | RegExp;
  /** The call's answer when there is nothing, and what is said then; what leads on is a link, a button or a text. */
  none?: { answer: FakeAnswers; says: string | RegExp };
};

const fail = refusing(503, 'server_error');

/** Each alert offers Retry and names the request. */
async function alerts(says: RegExp): Promise<HTMLElement[]> {
  const found = await screen.findAllByRole('alert');
  for (const alert of found) {
    expect(alert).toHaveTextContent(says);
    expect(alert).toHaveTextContent('req-test-1');
    expect(within(alert).getByRole('button', { name: 'Retry' })).toBeEnabled();
  }
  return found;
}

/** Loading, failed without data, there, failed over older data, and empty, in one life of each page. */
export function testLists(cases: readonly ListCase[]): void {
  for (const where of new Set(cases.map(({ at }) => at.path))) {
    const lists = cases.filter(({ at }) => at.path === where);
    const { page, at, answers } = lists[0]!;
    const calls = [...new Set(lists.map(({ call }) => call))];
    const each = (answer: (call: Call) => unknown): FakeAnswers =>
      Object.fromEntries(calls.map((call) => [call, answer(call)]));
    const names = lists.map(({ list }) => list);

    test(`${names.join()} of ${where}: every state`, async () => {
      const waiting: ((error: Error) => void)[] = [];
      const pending = each(() => () => new Promise((_, refuse) => waiting.push(refuse)));
      const api = fakeApi({ ...answers, ...pending });
      const { services, user } = await renderPage(page, { api, ...at });
      const areThere = (some = lists) =>
        some.map(({ list, row }) =>
          screen.queryAllByLabelText(list).some((place) => within(place).queryAllByText(row).length),
        );
      const retry = () =>
        waitFor(async () => {
          for (const button of screen.queryAllByRole('button', { name: 'Retry' })) await user.click(button);
          expect(screen.queryByRole('alert')).not.toBeInTheDocument();
        });

      await waitFor(() => expect(api.calls.map(({ call }) => call)).toEqual(expect.arrayContaining(calls)));
      expect(screen.getAllByRole('status', { busy: true }).length).toBeGreaterThan(0);

      api.answer(each(() => fail));
      await act(async () => waiting.forEach((refuse) => refuse(problem(503, 'server_error'))));
      expect((await alerts(/The pool could not answer/)).length).toBeGreaterThanOrEqual(new Set(names).size);
      await waitFor(() => expect(screen.queryByRole('status', { busy: true })).not.toBeInTheDocument());
      for (const { none } of lists) if (none) expect(screen.queryByText(none.says)).not.toBeInTheDocument();

      api.answer(each((call) => answers[call]));
      await retry();
      await waitFor(() => expect(areThere()).not.toContain(false));

      api.answer(each(() => fail));
      await act(() => services.queryClient.refetchQueries());
      await alerts(/Data from \d\d:\d\d UTC/);
      expect(areThere()).not.toContain(false);

      api.answer(
        Object.assign(
          each((call) => answers[call]),
          ...lists.map(({ none }) => none?.answer),
        ),
      );
      await retry();
      const empty = lists.filter(({ none }) => none);
      for (const { none } of empty) expect(await screen.findByText(none!.says)).toBeInTheDocument();
      expect(areThere(empty)).not.toContain(true);
    });

    const named = lists.flatMap(({ call, row }) =>
      JSON.stringify(withOddNames(answers[call]))?.includes(row + SIGN) ? `${row}` : [],
    );
    if (named.length === 0) continue;
    test(`${names.join()} of ${where}: names keep their signs at their end in Arabic`, () =>
      keepsNames(answers, named, (odd) => renderPage(page, { api: fakeApi(odd), ...at, language: 'ar' })));
  }
}

/**
 * What `open` shows in Arabic of these answers keeps the signs at the end of names that people chose; some are `names`.
 */
export async function keepsNames(
  answers: FakeAnswers,
  names: string | readonly string[],
  open: (odd: FakeAnswers) => Promise<unknown>,
): Promise<void> {
  await open(withOddNames(answers) as FakeAnswers);
  for (const name of [names].flat()) await waitFor(() => expect(document.body).toHaveTextContent(name + SIGN));
  expect(turned()).toEqual([]);
}

const SIGN = '=.';
/** Values that people chose. */
const NAMES = /^(name|account|owner|group|worker|userName|software|by|note)$/;
/** An answer in which every chosen name, but that of the account, ends in signs of no direction. */
const withOddNames = (answer: unknown, key = ''): unknown =>
  Array.isArray(answer)
    ? answer.map((part) => withOddNames(part, key))
    : answer && typeof answer === 'object'
      ? Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, withOddNames(value, name)]))
      : typeof answer === 'string' && answer !== 'northfield' && NAMES.test(key)
        ? answer + SIGN
        : answer;

/** Texts on screen in which the signs would stand before their name, since nothing keeps them apart from the Arabic around. */
function turned(): string[] {
  const found: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode.textContent?.replace(/[\u2066\u2068][^\u2066-\u2069]*\u2069/g, '') ?? '';
    if (text.includes(SIGN) && !texts.currentNode.parentElement?.closest('bdi, [dir="ltr"], .hidden')) found.push(text);
  }
  return found;
}
