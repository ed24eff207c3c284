import { FORM_TEXTS, type FormName } from '@pool/shared/form-texts';

/**
 * How a form's page begins until its script has run (shell/src/skeleton/shell.css): in both languages, of which the
 * style shows the browser's.
 */
export const formSkeleton = (form: FormName): string => {
  const starts = Object.entries(FORM_TEXTS[form]).map(
    ([language, { title, subtitle }]) => `<p lang="${language}"><b>${title}</b>${subtitle}</p>`,
  );
  return `<div class="sk-form${form === 'sign-up' ? ' sk-tall' : ''}">${starts.join('')}<i></i><i></i></div>`;
};
