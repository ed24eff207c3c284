import { z } from 'zod';
import { readFacts, type BrowserFacts } from '@pool/shared/page-start';
import { LANGUAGES } from '@pool/shared/i18n/languages';

const facts = z.strictObject({
  language: z.enum(LANGUAGES),
  direction: z.enum(['ltr', 'rtl']),
  mode: z.enum(['light', 'dark']),
  currency: z.enum(['usd', 'none']),
  themeColor: z.string().regex(/^#[0-9a-f]{6}$/),
  skin: z.enum(['default', 'bordered']),
  width: z.int().min(200).max(10_000),
  height: z.int().min(200).max(10_000),
  content: z.int().min(100).max(10_000),
  plot: z.int().min(100).max(10_000),
}) satisfies z.ZodType<BrowserFacts, unknown>;

/** What the cookie says of the browser; null: nothing that can be used. */
export const factsOf = (cookie: string | undefined): BrowserFacts | null =>
  facts.safeParse(readFacts(cookie ?? '')).data ?? null;
