export const attribute = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

export const metaTag = (name: string, content: string): string =>
  `<meta name="${name}" content="${attribute(content)}">`;
