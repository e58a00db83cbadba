'use strict';
// pageMap shows the picture of a scan in the elements of the page. It returns functions to
// tell what has become of further pages, and to leave the page.
const pageMap = data => {
  const $ = id => document.getElementById(id);
  const number = n => n.toLocaleString('en-US');
  const plural = (n, what) => number(n) + ' ' + what + (n === 1 ? '' : 's');
  const size = n => {
    if (n < 10000) return n + ' B';
    let unit = 0;
    for (; n >= 1000 && unit < 5; unit++) n /= 1024;
    return n.toFixed(n >= 100 ? 0 : n >= 10 ? 1 : 2) + ' ' + ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'][unit];
  };
  const make = (parent, tag, text) => {
    const e = document.createElement(tag);
    if (text !== undefined) e.textContent = text;
    parent.appendChild(e);
    return e;
  };
  const leaving = new AbortController();
  const listen = (to, event, handler) => to.addEventListener(event, handler, {signal: leaving.signal});
  const DATA = 0, DICTIONARY = 1, WHOLE = -1;

  // What each column shows: its data pages in the order of rows, and its dictionaries.
  const columns = data.Columns.map(c => {
    const pages = [], dictionaries = [];
    (c.Kind || []).forEach((kind, i) => {
      if (kind === DATA) pages.push(i);
      if (kind === DICTIONARY) dictionaries.push(i);
    });
    const guessed = new Set(c.Guessed || []);
    return Object.assign(c, {pages, dictionaries, guessed});
  });
  const used = columns.filter(c => c.Use);
  let all = columns.length <= 40 || used.length === 0;
  let shown = [];
  let largest = 1;
  for (const c of columns) for (const i of c.pages) largest = Math.max(largest, c.Bytes[i]);

  // The part of the rows in view, the classes that are shown, and the page under the cursor.
  const view = {from: 0, to: Math.max(data.Rows, 1), group: -1};
  const only = new Set();
  let at = null;

  const style = () => {
    const s = getComputedStyle(document.documentElement);
    const colours = {};
    for (const name of ['back', 'text', 'quiet', 'line', 'focus', 'decoded', 'unpacked', 'header', 'dictionary',
      'statistics', 'index', 'bloom', 'proven', 'dropped', 'other', 'none', 'open', 'all'])
      colours[name] = s.getPropertyValue('--' + name).trim();
    return colours;
  };
  const font = '12px system-ui, sans-serif';
  const sheet = (canvas, height) => {
    const ratio = Math.min(window.devicePixelRatio || 1, 32000 / height), width = canvas.parentElement.clientWidth; // browsers refuse higher canvases
    canvas.style.height = height + 'px';
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const g = canvas.getContext('2d');
    g.scale(ratio, ratio);
    g.font = font;
    g.textBaseline = 'middle';
    return {g, width, height};
  };
  // fitted cuts a text that has no room: at its end, or where that tells texts apart, at its start.
  const fitted = (g, text, width, start) => {
    if (g.measureText(text).width <= width) return text;
    const cut = n => start ? '…' + text.slice(text.length - n) : text.slice(0, n) + '…';
    let low = 0, high = text.length;
    while (low < high) {
      const mid = (low + high + 1) >> 1;
      if (g.measureText(cut(mid)).width <= width) low = mid; else high = mid - 1;
    }
    return cut(low);
  };

  // Where things are on the canvas: names in the gutter, then for each column the cells of its
  // pages (band), its dictionaries (foot) and a gap, which are together pitch high.
  const axis = 22, strip = 18, most = 16000;
  const conditions = data.Conditions || [], top = axis + conditions.length * strip + 10;
  let gutter = 190, pitch = 38, band = 28, foot = 4;
  const layout = g => {
    shown = (all ? columns : used).slice(0, most);
    pitch = Math.max(1, Math.min(38, Math.floor(most / Math.max(shown.length, 1))));
    foot = pitch >= 20 ? 4 : 0;
    band = pitch - foot - (pitch >= 20 ? 6 : pitch >= 4 ? 1 : 0);
    g.font = font;
    const texts = shown.slice(0, 2000).map(c => c.Name).concat(conditions.map(t => t.Text));
    const widest = Math.max(60, ...texts.map(t => g.measureText(t).width));
    gutter = Math.ceil(Math.min(widest + 14, 320, $('map').clientWidth * 0.3));
    return top + shown.length * pitch + 4;
  };
  const scaleOf = width => {
    const k = (width - gutter - 4) / (view.to - view.from);
    return {x: row => gutter + (row - view.from) * k, row: x => view.from + (x - gutter) / k, k};
  };

  const draw = () => {
    const height = layout($('cells').getContext('2d'));
    const c = style(), {g, width} = sheet($('cells'), height), {x, k} = scaleOf(width);
    const clip = row => Math.min(Math.max(row, view.from), view.to);
    conditions.forEach((t, i) => {
      const y = axis + i * strip;
      g.fillStyle = c.text;
      g.fillText(fitted(g, t.Text, gutter - 12), 0, y + strip / 2);
      const bar = (list, colour) => {
        g.fillStyle = colour;
        for (const r of list || []) {
          const from = clip(r.From), to = clip(r.To);
          if (to > from) g.fillRect(x(from), y + 3, Math.max((to - from) * k, 0.5), strip - 7);
        }
      };
      bar([{From: 0, To: data.Rows}], c.open);
      bar(t.None, c.none);
      bar(t.All, c.all);
    });
    let nameEnd = 0;
    shown.forEach((col, n) => {
      const y = top + n * pitch;
      g.globalAlpha = 1;
      if (y + pitch / 2 - 6 >= nameEnd) {
        g.fillStyle = col.Use ? c.text : c.quiet;
        g.fillText(fitted(g, col.Name, gutter - 12, true), 0, y + (band + foot) / 2);
        nameEnd = y + pitch / 2 + 7;
      }
      let lastX = -1, lastFate = -1, lastHigh = 0;
      const first = firstPage(col, view.from);
      for (let p = first; p < col.pages.length; p++) {
        const i = col.pages[p], row = col.Row[i];
        if (row >= view.to) break;
        const from = clip(row), to = clip(row + col.Rows[i]);
        const left = x(from), wide = Math.max((to - from) * k, 0), high = Math.max(Math.min(3, band), band * col.Bytes[i] / largest);
        if (wide < 0.5 && Math.floor(left) === lastX && col.Fate[i] === lastFate && high <= lastHigh) continue;
        lastX = Math.floor(left); lastFate = col.Fate[i]; lastHigh = high;
        const kind = data.Fates[col.Fate[i]].Class;
        g.globalAlpha = only.size && !only.has(col.Fate[i]) ? 0.12 : 1;
        g.fillStyle = c[kind];
        g.fillRect(left, y + band - high, Math.max(wide - (wide > 3 ? 1 : 0), 0.6), high);
      }
      for (const i of col.dictionaries) {
        const from = clip(col.Row[i]), to = clip(col.Row[i] + col.Rows[i]);
        if (to <= from || !foot) continue;
        g.globalAlpha = only.size && !only.has(col.Fate[i]) ? 0.12 : 1;
        g.fillStyle = c[data.Fates[col.Fate[i]].Class];
        g.fillRect(x(from), y + band + 1, Math.max((to - from) * k - 1, 0.6), 3);
      }
      g.globalAlpha = 1;
      if (!foot) return;
      g.strokeStyle = c.line;
      g.beginPath(); g.moveTo(gutter, y + band + 0.5); g.lineTo(width, y + band + 0.5); g.stroke();
    });
    g.strokeStyle = c.quiet;
    g.fillStyle = c.quiet;
    let free = gutter;
    (data.Groups || []).forEach((r, i) => {
      if (r.Row + r.Rows <= view.from || r.Row >= view.to) return;
      const left = x(clip(r.Row));
      if ((clip(r.Row + r.Rows) - clip(r.Row)) * k > 2) {
        g.globalAlpha = 0.5;
        g.beginPath(); g.moveTo(left + 0.5, axis - 4); g.lineTo(left + 0.5, height); g.stroke();
        g.globalAlpha = 1;
      }
      const text = ['row group ' + i, '' + i].find(t => (clip(r.Row + r.Rows) - clip(r.Row)) * k > g.measureText(t).width + 4);
      if (left >= free && text) {
        g.fillText(text, left + 3, axis / 2);
        free = left + g.measureText(text).width + 8;
      }
    });
    if (at) {
      const n = shown.indexOf(at.column), i = at.page, col = at.column;
      const from = clip(col.Row[i]), to = clip(col.Row[i] + col.Rows[i]);
      g.strokeStyle = c.focus;
      g.lineWidth = 2;
      if (n >= 0) g.strokeRect(x(from) - 1, top + n * pitch - 1, Math.max((to - from) * k, 2) + 1, band + foot + 2);
      g.lineWidth = 1;
    }
    $('range').textContent = (view.group >= 0 ? 'row group ' + view.group : plural(data.Rows, 'row')) +
      (shown.length < (all ? columns : used).length ? '; the first ' + plural(shown.length, 'column') : '');
    $('out').hidden = view.group < 0;
    $('every').hidden = !used.length || used.length === columns.length;
    $('every').textContent = (all ? 'Only the ' + plural(used.length, 'column') + ' of the query' : 'All ' + plural(columns.length, 'column')) + ' (a)';
  };

  // firstPage returns the place in col.pages of the first page that ends after row.
  const firstPage = (col, row) => {
    let low = 0, high = col.pages.length;
    while (low < high) {
      const mid = (low + high) >> 1, i = col.pages[mid];
      if (col.Row[i] + col.Rows[i] > row) high = mid; else low = mid + 1;
    }
    return low;
  };

  const describe = () => {
    if (!at) { $('tip').textContent = 'Move over a page, or press the arrow keys: here stands what is known of it. Click or press Enter to see one row group.\nA cell is as wide as its page has rows, and as high as it has bytes. Thin bars below are dictionaries.'; return; }
    const c = at.column, i = at.page, lines = [];
    const rows = number(c.Row[i]) + '–' + number(c.Row[i] + Math.max(c.Rows[i] - 1, 0));
    const what = c.Number[i] === WHOLE ? 'all pages' : c.Kind[i] === DICTIONARY ? 'dictionary' : 'page ' + c.Number[i];
    lines.push(c.Name + '  ' + c.Type + ', row group ' + c.Group[i] + ', ' + what + ': ' + data.Fates[c.Fate[i]].Name);
    lines.push((c.guessed.has(i) ? 'about ' : '') + 'rows ' + rows + ', ' + plural(c.Rows[i], 'row') + '; ' + size(c.Bytes[i]) + ' at ' + number(c.Offset[i]) +
      (c.Nulls[i] >= 0 ? '; ' + plural(c.Nulls[i], 'null') : ''));
    if (c.Min[i] !== '' || c.Max[i] !== '') lines.push('values ' + c.Min[i] + ' … ' + c.Max[i]);
    $('tip').textContent = lines.join('\n');
  };
  const map = $('map');
  // reach scrolls to the column that the keyboard has come to, with room for what is said of it.
  const reach = make(map, 'div');
  reach.setAttribute('aria-hidden', 'true');
  Object.assign(reach.style, {position: 'absolute', left: 0, width: '1px', visibility: 'hidden'});
  const go = (place, byKey) => {
    at = place;
    draw();
    describe();
    if (!byKey || !at) return;
    Object.assign(reach.style, {top: top + shown.indexOf(at.column) * pitch - 20 + 'px', height: pitch + 120 + 'px'});
    reach.scrollIntoView({block: 'nearest', inline: 'nearest'});
  };

  // said returns what is known of a condition at a row, or of a column by its name.
  const said = (px, py) => {
    const t = conditions[Math.floor((py - axis) / strip)], col = shown[Math.floor((py - top) / pitch)];
    if (py >= axis && t) {
      const row = Math.floor(scaleOf($('cells').clientWidth).row(px)), within = list => (list || []).some(r => r.From <= row && row < r.To);
      const verdict = within(t.None) ? 'no row passes, by metadata' : within(t.All) ? 'all rows pass, by metadata' : 'must be tested';
      return t.Text + (px >= gutter && row < view.to ? '\nrow ' + number(row) + ': ' + verdict : '') +
        '\n' + plural(t.Tested, 'row') + ' tested, ' + number(t.Passed) + ' passed';
    }
    if (py >= top && col && px < gutter) return col.Name + '  ' + col.Type + '\n' + (col.Use ? 'used for the ' + ({both: 'filter and the result'}[col.Use] || col.Use) : 'not used') + '; ' +
      total({Pages: col.pages.filter(i => col.Number[i] !== WHOLE).length, Dictionaries: col.dictionaries.length, Chunks: col.pages.filter(i => col.Number[i] === WHOLE).length, Bytes: (col.Bytes || []).reduce((a, b) => a + b, 0)});
    return '';
  };

  const hit = (px, py) => {
    const n = Math.floor((py - top) / pitch);
    if (n < 0 || n >= shown.length || px < gutter) return null;
    const col = shown[n], row = scaleOf($('cells').clientWidth).row(px);
    if (row < view.from || row >= view.to) return null;
    if (foot && py - top - n * pitch > band) {
      const d = col.dictionaries.find(i => col.Row[i] <= row && row < col.Row[i] + col.Rows[i]);
      if (d !== undefined) return {column: col, page: d};
    }
    const p = firstPage(col, row);
    if (p >= col.pages.length || col.Row[col.pages[p]] > row) return null;
    return {column: col, page: col.pages[p]};
  };
  listen(map, 'mousemove', e => {
    const r = $('cells').getBoundingClientRect(), px = e.clientX - r.left, py = e.clientY - r.top, found = hit(px, py);
    if (found && (!at || at.column !== found.column || at.page !== found.page)) go(found);
    else if (found) describe();
    else { const text = said(px, py); if (text) $('tip').textContent = text; }
  });
  listen(map, 'click', e => {
    const r = $('cells').getBoundingClientRect(), found = hit(e.clientX - r.left, e.clientY - r.top);
    if (found) { at = found; zoom(found.column.Group[found.page]); }
  });
  const zoom = group => {
    view.group = group;
    const r = group >= 0 ? data.Groups[group] : {Row: 0, Rows: Math.max(data.Rows, 1)};
    view.from = r.Row; view.to = r.Row + Math.max(r.Rows, 1);
    draw(); describe();
  };
  const toggle = () => { all = !all; go(null); };
  listen($('out'), 'click', () => zoom(-1));
  listen($('every'), 'click', toggle);
  // Keys are the map's wherever the focus is, but in fields and where they mean something else.
  listen(document, 'keydown', e => {
    const key = e.key, start = shown.find(c => c.pages.length);
    if (e.defaultPrevented || e.ctrlKey || e.altKey || e.metaKey || !map.offsetParent) return;
    if (e.target.closest('input, textarea, select') || key === 'Enter' && e.target.closest('button, a')) return;
    if (key === 'Escape') zoom(-1);
    else if (key === 'a') toggle();
    else if (!start) return;
    else if (!at) { if (key.startsWith('Arrow') || key === 'Enter') go({column: start, page: start.pages[firstPage(start, view.from)] ?? start.pages[0]}, true); else return; }
    else if (key === 'Enter') zoom(view.group >= 0 ? -1 : at.column.Group[at.page]);
    else if (key === 'ArrowLeft' || key === 'ArrowRight') {
      const c = at.column, p = c.pages.indexOf(at.page) + (key === 'ArrowRight' ? 1 : -1);
      if (p >= 0 && p < c.pages.length) { go({column: c, page: c.pages[p]}, true); if (view.group >= 0 && c.Group[at.page] !== view.group) zoom(c.Group[at.page]); }
    } else if (key === 'ArrowUp' || key === 'ArrowDown') {
      const row = at.column.Row[at.page];
      for (let n = shown.indexOf(at.column) + (key === 'ArrowDown' ? 1 : -1); n >= 0 && n < shown.length; n += key === 'ArrowDown' ? 1 : -1) {
        const c = shown[n];
        if (!c.pages.length) continue;
        go({column: c, page: c.pages[Math.min(firstPage(c, row), c.pages.length - 1)]}, true);
        break;
      }
    } else return;
    e.preventDefault();
  });

  // total says what bytes are of.
  const total = f => {
    const parts = [];
    if (f.Pages) parts.push(plural(f.Pages, 'page'));
    if (f.Dictionaries) parts.push(f.Dictionaries === 1 ? '1 dictionary' : number(f.Dictionaries) + ' dictionaries');
    if (f.Chunks) parts.push(plural(f.Chunks, 'whole chunk'));
    return parts.length ? [...parts, size(f.Bytes)].join(', ') : size(f.Bytes) + ' outside pages';
  };
  const legend = () => {
    const c = style(), box = $('legend'), focused = box.contains(document.activeElement) ? document.activeElement.value : '';
    box.textContent = '';
    const line = title => { const e = make(box, 'div'); e.className = 'line'; make(e, 'span', title).className = 'part'; return e; };
    const pages = line('Pages');
    data.Fates.forEach((f, i) => {
      if (!f.Bytes) return;
      const b = make(pages, 'button'), mark = make(b, 'i');
      mark.style.background = c[f.Class];
      make(b, 'span', f.Name);
      make(b, 'small', total(f));
      b.title = 'show only these';
      b.value = i;
      b.setAttribute('aria-pressed', only.has(i));
      b.addEventListener('click', () => { only.has(i) ? only.delete(i) : only.add(i); legend(); draw(); });
      if (b.value === focused) b.focus();
    });
    if (!conditions.length) return;
    const strips = line('Conditions, by metadata');
    for (const [name, text] of [['none', 'no row passes'], ['open', 'must be tested'], ['all', 'all rows pass']]) {
      const b = make(strips, 'span');
      b.className = 'key';
      make(b, 'i').style.background = c[name];
      make(b, 'span', text);
    }
  };

  // Time: lanes of row groups, and below these lanes of reads.
  const lane = 18;
  let timed = []; // what lies where on the canvas
  const spans = () => {
    const list = data.Spans || [];
    $('time').hidden = !list.length;
    if (!list.length) return;
    const end = Math.max(...list.map(s => s.End), 0.001), c = style();
    let height = 0;
    const rows = []; // a name, and where it stands
    const placed = [];
    for (const [request, name] of [[false, 'row groups'], [true, 'reads']]) {
      const lanes = [], those = list.filter(s => !!s.Request === request);
      if (!those.length) continue;
      rows.push({text: request ? plural(those.length, 'read') + ', ' + size(those.reduce((n, s) => n + s.Bytes, 0)) : name, y: height});
      for (const s of those) {
        let n = lanes.findIndex(end => end <= s.Start);
        if (n < 0 && lanes.length < 16) n = lanes.push(0) - 1;
        if (n < 0) n = 15;
        lanes[n] = Math.max(lanes[n], s.End);
        placed.push({s, y: height + n * lane});
      }
      height += lanes.length * lane;
    }
    const {g, width} = sheet($('spans'), height + 20), k = (width - gutter - 4) / end;
    g.fillStyle = c.text;
    for (const r of rows) g.fillText(fitted(g, r.text, gutter - 12), 0, r.y + lane / 2);
    timed = placed.map(({s, y}) => ({s, y, left: gutter + s.Start * k, wide: Math.max((s.End - s.Start) * k, 1)}));
    for (const {s, y, left, wide} of timed) {
      g.fillStyle = s.Request ? c.text : c.proven;
      g.fillRect(left, y + 1, Math.max(wide - (wide > 3 ? 1 : 0), 1), lane - 3);
      if (wide > 40) { g.fillStyle = c.back; g.fillText(fitted(g, s.Text, wide - 6), left + 3, y + lane / 2); }
    }
    g.fillStyle = c.quiet;
    g.fillText('0', gutter, height + 10);
    const last = end.toFixed(end < 10 ? 2 : 0) + ' ms';
    g.fillText(last, width - g.measureText(last).width - 4, height + 10);
  };
  listen($('spans'), 'mousemove', e => {
    const r = $('spans').getBoundingClientRect(), px = e.clientX - r.left, py = e.clientY - r.top;
    const found = timed.find(t => t.y <= py && py < t.y + lane && t.left - 2 <= px && px <= t.left + t.wide + 2);
    if (found) $('tip').textContent = (found.s.Request ? 'read of ' : '') + found.s.Text + '\n' + found.s.Start.toFixed(2) + '–' + found.s.End.toFixed(2) + ' ms after the start';
  });

  const sums = () => {
    for (const id of ['sums', 'conditions', 'notes']) $(id).textContent = '';
    const t = $('sums'), row = (cells, tag) => { const r = make(t, 'tr'); cells.forEach(v => make(r, tag || 'td', v)); };
    row(['', 'pages', 'dictionaries', 'bytes', 'share'], 'th');
    let pages = 0, dictionaries = 0, bytes = data.Metadata;
    for (const f of data.Fates) { pages += f.Pages; dictionaries += f.Dictionaries; bytes += f.Bytes; }
    const some = n => n ? number(n) : '';
    const share = n => (100 * n / Math.max(bytes, 1)).toFixed(1) + ' %';
    for (const f of data.Fates) if (f.Bytes || f.Pages) row([f.Name + (f.Pages || f.Dictionaries ? '' : f.Chunks ? ' (whole chunks)' : ' (outside pages)'), some(f.Pages), some(f.Dictionaries), number(f.Bytes), share(f.Bytes)]);
    row(['footer, indexes, Bloom filters', '', '', number(data.Metadata), share(data.Metadata)]);
    row(['the file', some(pages), some(dictionaries), number(bytes), '']);
    t.lastChild.className = 'total';
    if (conditions.length) {
      const c = $('conditions'), line = (cells, tag) => { const r = make(c, 'tr'); cells.forEach(v => make(r, tag || 'td', v)); };
      line(['condition', 'rows tested', 'passed', 'ms'], 'th');
      for (const x of conditions) line([x.Text, number(x.Tested), number(x.Passed), x.Milliseconds.toFixed(2)]);
    }
    for (const n of data.Notes || []) make($('notes'), 'li', n);
  };

  $('file').textContent = data.File;
  $('where').textContent = data.Where ? 'WHERE ' + data.Where : '';
  $('summary').textContent = plural(data.Rows, 'row') + ', ' + number(data.MayPass) + ' may pass by metadata, ' + plural(data.Returned, 'row') + ' returned; ' +
    plural((data.Groups || []).length, 'row group') + ', ' + size(data.Size);
  document.title = 'Pages of ' + data.File;
  const redraw = () => { legend(); draw(); spans(); };
  // update takes triples of a column, a page of it, and what became of it.
  const update = list => {
    for (const [c, i, fate] of list) {
      const col = columns[c], of = col.Number[i] === WHOLE ? 'Chunks' : {[DATA]: 'Pages', [DICTIONARY]: 'Dictionaries'}[col.Kind[i]];
      for (const [total, n] of [[data.Fates[col.Fate[i]], -1], [data.Fates[fate], 1]]) {
        total.Bytes += n * col.Bytes[i];
        if (of) total[of] += n;
      }
      col.Fate[i] = fate;
    }
    legend(); draw(); describe(); sums();
  };
  sums();
  redraw();
  describe();
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  listen(window, 'resize', redraw);
  listen(dark, 'change', redraw);
  document.documentElement.dataset.ready = 'yes';
  return {update, leave: () => { leaving.abort(); reach.remove(); }};
};
