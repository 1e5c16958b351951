/** Browsers offer the clipboard API only on secure pages; on plain HTTP the older command still works. */
export async function copyText(text: string, beside: HTMLElement): Promise<boolean> {
  if (navigator.clipboard) {
    const copied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
    if (copied) return true
  }
  // Place the text area beside the button, because nothing outside an open dialog can be selected.
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'sr'
  beside.after(area)
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  beside.focus()
  return copied
}
