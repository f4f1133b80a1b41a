// Runs before anything is painted, so that neither theme nor layout changes before people's eyes. Not a module: those wait.
(() => {
  /** @param {string} name */
  const recall = (name) => {
    try {
      return JSON.parse(localStorage.getItem(`muster.${name}`) ?? 'null');
    } catch {
      return null;
    }
  };
  const theme = recall('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.classList.toggle('dark', dark);
  const asked = new URL(location.href).searchParams.get('layout');
  const layout = asked ?? recall('layout.last');
  document.body.dataset.layout = layout === 'cars' ? 'cars' : 'map';
  // On the first visit nobody knows yet which layout the run wants: the panes wait for it rather than jump.
  if (!layout) document.body.dataset.undecided = '';
})();
