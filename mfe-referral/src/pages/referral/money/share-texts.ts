/** What to write to a miner, in the reader's language and not in the writer's. */
import type { Language } from '@pool/shared';

export const SHARE_TEXTS: Record<Language, (link: string) => string> = {
  en: (link) => `I mine here and see every share, price and fee. Join with my link: it costs you nothing. ${link}`,
  ru: (link) =>
    `Я майню здесь и вижу каждую шару, цену и комиссию. Присоединяйтесь по моей ссылке, это бесплатно. ${link}`,
  fr: (link) =>
    `Je mine ici et je vois chaque part, chaque prix et les frais. Rejoignez-moi avec mon lien, cela ne vous coûte rien. ${link}`,
  ar: (link) => `أعدّن هنا وأرى كل حصة وسعر ورسم. انضم عبر رابطي، ولن يكلفك ذلك شيئًا. ${link}`,
};
