// Replaces Vite's helper around each `import()` of the built console (`vite.config.ts`).

/** Pending and completed downloads, by URL. */
const downloads = new Map<string, Promise<void>>();

/** Downloads a script into the browser's cache. @throws TypeError if the server is unreachable or has no such script */
async function downloadScript(url: string): Promise<void> {
  if (document.querySelector(`script[src="${url}"], link[rel=modulepreload][href="${url}"]`)) return;
  const response = await fetch(url);
  if (!response.ok) throw new TypeError(`The server responded with ${response.status} for ${url}.`);
  await response.arrayBuffer();
}

/** Adds a style sheet to the page, and waits for it. @throws TypeError if it cannot be loaded */
function addStyles(url: string): Promise<void> {
  if (document.querySelector(`link[rel=stylesheet][href="${url}"]`)) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: url });
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => {
      link.remove();
      reject(new TypeError(`The style sheet ${url} could not be loaded.`));
    });
    document.head.append(link);
  });
}

function download(path: string): Promise<void> {
  const url = import.meta.env.BASE_URL + path;
  const existingDownload = downloads.get(url);
  if (existingDownload) return existingDownload;
  const newDownload = (url.endsWith('.css') ? addStyles(url) : downloadScript(url)).catch((error: unknown) => {
    downloads.delete(url);
    throw error;
  });
  downloads.set(url, newDownload);
  return newDownload;
}

/**
 * Downloads a module and everything it imports into the browser's cache, and then imports it. A failed download can be
 * retried, but a failed import cannot: the HTML standard says that a browser never requests that module again, and
 * Firefox follows it.
 * @param paths the files of the module and of everything it imports
 * @throws the error of the first download that failed, or of the module; also sends it as the event `vite:preloadError`
 */
export async function importModule<Module>(
  load: () => Promise<Module>,
  paths: readonly string[] = [],
): Promise<Module> {
  try {
    await Promise.all(paths.map(download));
    return await load();
  } catch (error) {
    window.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: error }));
    throw error;
  }
}
