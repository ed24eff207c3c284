import { useTranslation } from '@pool/shared/i18n';
import { viewPath } from '@pool/shared/shell-pages';
import { CircleUser } from '@pool/shared/ui/core';
import styles from './parts.module.css';

/** Opens a user's pages, read-only, as a page of their own. `short`: a mark in place of the words. */
export function ViewAs({ userName, short = false }: { userName: string; short?: boolean }) {
  const { t } = useTranslation();
  const words = t('admin.users.view-as');
  const name = `${words}: ${userName}`;
  return (
    <a
      href={viewPath(userName)}
      aria-label={name}
      title={short ? name : undefined}
      className={short ? styles.mark : undefined}
    >
      {short ? <CircleUser size={18} /> : words}
    </a>
  );
}
