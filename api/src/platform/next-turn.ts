/** Returns a function that calls `run` in the next turn of the event loop, once however often it is called before. */
export function oncePerTurn(run: () => void): () => void {
  let planned = false;
  return () => {
    if (planned) return;
    planned = true;
    setImmediate(() => {
      planned = false;
      run();
    });
  };
}
