import { useEffect, useRef, useState } from 'react';
import { Search, useNarrow } from '../core';
import { Input } from './input';
import styles from './search-box.module.css';

const SEARCH_DELAY_MS = 250;

type Props = {
  value: string | undefined;
  label: string;
  size?: 'middle';
  onSearch: (text: string, how: { replace: boolean }) => void;
};

/**
 * Calls `onSearch` when typing pauses; `replace`: one search makes one entry in the browser's history, not one a letter.
 * Takes over `value` when it changes elsewhere (Back, Clear), but not its own searches, so that typing is never
 * overwritten. `size`: beside fields theirs, else larger on a phone.
 */
export function SearchBox({ value = '', label, size, onSearch }: Props) {
  const [draft, setDraft] = useState(value);
  const [known, setKnown] = useState(value);
  const [sent, setSent] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  if (value !== known) {
    setKnown(value);
    if (value !== sent) {
      setDraft(value);
      setSent(value);
    }
  }
  const narrow = useNarrow();
  const type = (text: string) => {
    setDraft(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const search = text.trim();
      setSent(search);
      onSearch(search, { replace: value !== '' && search !== '' });
    }, SEARCH_DELAY_MS);
  };
  return (
    <div className={size ? undefined : styles.search}>
      <Input
        type="search"
        size={size ?? (narrow ? 'large' : 'middle')}
        value={draft}
        maxLength={100}
        allowClear
        prefix={<Search />}
        placeholder={label}
        aria-label={label}
        onChange={(event) => type(event.target.value)}
      />
    </div>
  );
}
