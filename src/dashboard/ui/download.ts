/** Hands a file to the browser, to be kept where it keeps its files. */
export function download(name: string, file: Blob): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Browsers begin to read it in their own time.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
