/** Saves a file on the user's computer, as a download. */
export function saveFile(name: string, parts: readonly BlobPart[], type: string): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has read the data by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
