// The search in a thread of its own. The page ends it when it is not wanted any more.
onmessage = async ({ data: { engine, module, question } }) => {
  try {
    const { load } = await import(engine);
    const search = await load(module);
    search.ask(question);
    postMessage({ asked: true });
    while (!search.advance(100)) postMessage({ report: search.report() });
    const report = search.report();
    postMessage({ report, way: report.answer === "violated" ? search.way() : undefined, done: true });
  } catch (error) {
    postMessage({ error: error.message });
  }
};
