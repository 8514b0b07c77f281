/** A script for each page, so that the browser reports the tour as seen by everyone, including new accounts. */
export const SKIP_TOUR = `{
  const { getItem } = Storage.prototype;
  Storage.prototype.getItem = function (key) {
    return key.startsWith('quarterdeck-tour:') ? 'yes' : getItem.call(this, key);
  };
}`;
