/** Downloads `content` as a JSON file. */
export function downloadJson(name: string, content: unknown): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' }));
  link.download = name;
  link.click();
  // The click only starts the download, so the URL must stay valid for a while.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
