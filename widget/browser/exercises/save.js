// Hands a file that Python made to the reader's downloads.

const A_WHILE = 10_000; // ms that a download has to begin

/** @param {{name: string, type: string, text: string}} file */
export function save({ name, type, text }) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), A_WHILE);
}
