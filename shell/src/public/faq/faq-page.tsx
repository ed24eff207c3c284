import { useTranslation } from '@pool/shared/i18n';
import { Link, useLocation, useSearchParams } from '@pool/shared/router';
import { Button, ChevronDown, Empty, PageHeader, Search, VisuallyHidden } from '@pool/shared/ui/core';
import { Input } from '@pool/shared/ui/form';
import { useEffect, useRef } from 'react';
import styles from './faq.module.css';
import { matches, QUESTIONS, type Group, type Question } from './questions';

const GROUPS = Object.keys(QUESTIONS) as Group[];

/** `/pages/faq`: the search is in the address (`?q=`), and each question has one of its own (`#hold`). */
export default function FaqPage() {
  const { t } = useTranslation();
  const { hash } = useLocation();
  const [params, setParams] = useSearchParams();
  const search = params.get('q') ?? '';
  const groups = GROUPS.map((group) => ({
    group,
    found: QUESTIONS[group]
      .map((id): Question => ({ id, question: t(`faq.q.${id}`), answer: t(`faq.a.${id}`) }))
      .filter((question) => matches(question, search)),
  })).filter(({ found }) => found.length > 0);
  const count = groups.reduce((sum, { found }) => sum + found.length, 0);
  const ask = (text: string) => setParams(text ? { q: text } : {}, { replace: true });
  return (
    <>
      <PageHeader title={t('public.faq')} sub={t('faq.sub')} />
      <div className={styles.page}>
        <Input
          size="large"
          type="search"
          allowClear
          prefix={<Search />}
          aria-label={t('faq.search')}
          placeholder={t('faq.search')}
          value={search}
          onChange={(event) => ask(event.target.value)}
        />
        <VisuallyHidden>
          <span role="status">{search && t('faq.found', { count })}</span>
        </VisuallyHidden>
        {count === 0 && (
          <Empty
            title={t('faq.none', { text: search })}
            action={<Button onClick={() => ask('')}>{t('faq.clear')}</Button>}
          >
            {t('faq.noneHint')}
          </Empty>
        )}
        {groups.map(({ group, found }) => (
          <section key={group} aria-labelledby={`group-${group}`}>
            <h2 id={`group-${group}`} className={styles.group}>
              {t(`faq.group.${group}`)}
            </h2>
            <div className={styles.list}>
              {found.map((question) => (
                <Item key={question.id} {...question} open={hash === `#${question.id}`} />
              ))}
            </div>
          </section>
        ))}
      </div>
    </>
  );
}

function Item({ id, question, answer, open }: Question & { open: boolean }) {
  const { t } = useTranslation();
  const item = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (!open || !item.current) return;
    item.current.open = true;
    item.current.scrollIntoView({ block: 'center' });
  }, [open]);
  return (
    <details ref={item} id={id} className={styles.item}>
      <summary className={styles.question}>
        {question}
        <ChevronDown className={styles.arrow} />
      </summary>
      <p className={styles.answer}>{answer}</p>
      <Link to={{ hash: id }} replace className={styles.link} aria-label={`${t('faq.link')}: ${question}`}>
        {t('faq.link')}
      </Link>
    </details>
  );
}
