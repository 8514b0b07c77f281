/** A script that marks the tour as seen by all users of the browser, including new accounts. Runs on each page. */
export const SKIP_TOUR = `{
  const { getItem } = Storage.prototype;
  Storage.prototype.getItem = function (key) {
    return key.startsWith('quarterdeck-tour:') ? 'yes' : getItem.call(this, key);
  };
}`;
