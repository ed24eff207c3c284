import { useTranslation } from '@pool/shared/i18n';
import { Search } from '@pool/shared/ui/core';
import { Fragment, useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { userStorage } from '../auth/user-storage';
import styles from './commands.module.css';
import type { DialogProps } from './idle-features';
import { found } from './fuzzy';
import type { Command } from './make-commands';
import { useCommands } from './use-commands';

const MOST = 40;
const RECENT = 'recentCommands';
const MOST_RECENT = 5;
/** Groups that may have many entries: they are offered when something is typed. */
const ONLY_SEARCHED: readonly Command['group'][] = ['groups', 'payouts', 'users', 'workers'];

/** Ids of the commands that the user ran last, newest first; they name pages and settings only. */
const recentCommands = (): string[] => userStorage.read(RECENT)?.split('\n') ?? [];

function offered(commands: readonly Command[], search: string): Command[] {
  if (search.trim()) return found(commands, search).slice(0, MOST);
  const recent = recentCommands().flatMap((id) => {
    const command = commands.find((each) => each.id === id);
    return command ? [{ ...command, group: 'recent' as const }] : [];
  });
  const known = new Set(recent.map(({ id }) => id));
  return [...recent, ...commands.filter(({ id, group }) => !known.has(id) && !ONLY_SEARCHED.includes(group))];
}

/** Finds pages, accounts, workers, groups, payouts, users, settings and actions by a few letters, by keyboard alone. */
export function Palette(props: DialogProps & { onDone(): void }) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const [at, setAt] = useState(0);
  const listId = useId();
  const list = useRef<HTMLUListElement>(null);
  const commands = offered(useCommands(search, props), search);
  const current = Math.min(at, commands.length - 1);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [current, search]);
  const run = (command: Command | undefined) => {
    if (!command) return;
    if (command.general)
      userStorage.write(RECENT, [...new Set([command.id, ...recentCommands()])].slice(0, MOST_RECENT).join('\n'));
    // The list of shortcuts takes the place of the palette.
    if (command.id !== 'help') props.onDone();
    command.run();
  };
  const press = (event: KeyboardEvent) => {
    // Keys of an input method choose characters.
    if (event.nativeEvent.isComposing) return;
    const last = commands.length - 1;
    const next = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: last }[event.key];
    if (next !== undefined) setAt(next > last ? 0 : next < 0 ? last : next);
    else if (event.key === 'Enter') run(commands[current]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className={styles.search}>
        <Search size={18} />
        <input
          autoFocus
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={commands[current] ? `${listId}-${current}` : undefined}
          aria-label={t('commands.palette')}
          placeholder={t('commands.placeholder')}
          autoComplete="off"
          spellCheck={false}
          value={search}
          onChange={({ target }) => {
            setSearch(target.value);
            setAt(0);
          }}
          onKeyDown={press}
        />
      </div>
      <ul ref={list} id={listId} role="listbox" aria-label={t('commands.palette')} className={styles.list}>
        {commands.map((command, index) => (
          <Fragment key={command.id}>
            {!search.trim() && command.group !== commands[index - 1]?.group && (
              <li role="presentation" className={styles.group}>
                {t(`commands.group.${command.group}`)}
              </li>
            )}
            <li
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === current}
              className={styles.option}
              onPointerMove={() => setAt(index)}
              onClick={() => run(command)}
            >
              <bdi>{command.label}</bdi>
              <span className={styles.kind}>
                {[command.state, search.trim() && t(`commands.group.${command.group}`)].filter(Boolean).join(' · ')}
              </span>
            </li>
          </Fragment>
        ))}
      </ul>
      {commands.length === 0 && (
        <p className={styles.none} role="status">
          {t('commands.none')}
        </p>
      )}
    </>
  );
}
