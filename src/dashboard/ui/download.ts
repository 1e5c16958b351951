/** Offers a file as a download. */
export function download(name: string, file: Blob): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Revoke the URL later, because the browser may not have started reading yet.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
