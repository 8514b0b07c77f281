// Replaces Vite's helper around each `import()` of the built console (`vite.config.ts`).

/** Pending and completed downloads, by URL. */
const downloads = new Map<string, Promise<void>>();

/**
 * True in Chromium, which requests a module again after a failed import. Other browsers may not request it again,
 * because the HTML standard forbids it. Firefox never does.
 */
const canRetryImports = 'userAgentData' in navigator;

/**
 * Downloads a file by adding a link to the page.
 *
 * @throws TypeError if the server is unreachable or doesn't have the file
 */
function addLink(url: string, attributes: Partial<HTMLLinkElement>): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = Object.assign(document.createElement('link'), attributes, { href: url });
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => {
      link.remove();
      reject(new TypeError(`${url} could not be loaded.`));
    });
    document.head.append(link);
  });
}

/**
 * Downloads a file into the browser's cache.
 *
 * @throws TypeError if the server is unreachable or doesn't have the file
 */
async function fetchFile(url: string): Promise<void> {
  const response = await fetch(url);
  if (!response.ok) throw new TypeError(`The server responded with ${response.status} for ${url}.`);
  await response.arrayBuffer();
}

async function startDownload(url: string): Promise<void> {
  if (document.querySelector(`script[src="${url}"], link[href="${url}"]`)) return undefined;
  if (url.endsWith('.css')) return addLink(url, { rel: 'stylesheet' });
  // A fetch can always be retried, but the import then requests the file a second time, from the browser's cache.
  return canRetryImports ? addLink(url, { rel: 'modulepreload' }) : fetchFile(url);
}

function download(path: string): Promise<void> {
  const url = import.meta.env.BASE_URL + path;
  const existingDownload = downloads.get(url);
  if (existingDownload) return existingDownload;
  const newDownload = startDownload(url).catch((error: unknown) => {
    downloads.delete(url);
    throw error;
  });
  downloads.set(url, newDownload);
  return newDownload;
}

/**
 * Downloads a module and everything it imports before importing it, so a failed import can be retried in every
 * browser.
 *
 * @param paths the files of the module and of everything it imports
 * @throws the error from the first failed download or from the module itself, which it also sends as the event
 * `vite:preloadError`
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
