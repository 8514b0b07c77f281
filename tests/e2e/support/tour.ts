/** A script for each page: the browser reports that everyone has seen the introduction, including new accounts. */
export const SKIP_TOUR = `{
  const { getItem } = Storage.prototype;
  Storage.prototype.getItem = function (key) {
    return key.startsWith('quarterdeck-tour:') ? 'yes' : getItem.call(this, key);
  };
}`;
