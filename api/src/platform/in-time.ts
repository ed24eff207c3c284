/** The answer, if it comes within `ms` milliseconds; else rejects with `late`. */
export async function inTime<T>(answer: Promise<T>, ms: number, late = new Error('no answer in time')): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late), ms);
  });
  return Promise.race([answer, ended]).finally(() => clearTimeout(timer));
}
