/** Offers a file to the browser as a download. */
export function download(name: string, file: Blob): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser may start reading later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
