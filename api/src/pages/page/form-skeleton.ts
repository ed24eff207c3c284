import { FORM_TEXTS, type FormName } from '@pool/shared/form-texts';

/** How a form's page begins, in all languages; shell/src/skeleton/shell.css shows the browser's. */
export const formSkeleton = (form: FormName): string => {
  const starts = Object.entries(FORM_TEXTS[form]).map(
    ([language, { title, subtitle }]) => `<p lang="${language}"><b>${title}</b>${subtitle}</p>`,
  );
  return `<div class="sk-form${form === 'sign-up' ? ' sk-tall' : ''}">${starts.join('')}<i></i><i></i></div>`;
};
