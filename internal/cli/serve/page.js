
(() => {
  const $ = id => document.getElementById(id);
  const make = (parent, tag, text) => {
    const e = document.createElement(tag);
    if (text !== undefined) e.textContent = text;
    parent.appendChild(e);
    return e;
  };
  const count = n => n.toLocaleString('en-US');
  const ask = async (path, params) => {
    const answer = await fetch(path + '?' + new URLSearchParams(params));
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  };
  let file = '', names = [], columns = [], running = null, map = null;

  // The list of files, and keys that move in it.
  const listFiles = () => {
    const list = $('files'), want = $('find').value.toLowerCase();
    list.textContent = '';
    for (const name of names.filter(n => n.toLowerCase().includes(want)).slice(0, 2000)) {
      const item = make(list, 'li', name);
      item.setAttribute('role', 'option');
      item.setAttribute('aria-selected', name === file);
      item.addEventListener('click', () => choose(name));
    }
  };
  const move = (list, step) => {
    const items = [...list.children];
    if (!items.length) return null;
    const at = items.findIndex(i => i.getAttribute('aria-selected') === 'true');
    const next = items[Math.min(Math.max(at + step, 0), items.length - 1)];
    items.forEach(i => i.setAttribute('aria-selected', i === next));
    next.scrollIntoView({block: 'nearest'});
    return next;
  };
  for (const id of ['find', 'files']) $(id).addEventListener('keydown', e => {
    if (e.key === 'ArrowDown' || e.key === 'ArrowUp') move($('files'), e.key === 'ArrowDown' ? 1 : -1);
    else if (e.key === 'Enter') ([...$('files').children].find(i => i.getAttribute('aria-selected') === 'true') || $('files').firstChild)?.click();
    else return;
    e.preventDefault();
  });
  $('find').addEventListener('input', listFiles);

  const show = tab => {
    for (const t of document.querySelectorAll('[role=tab]')) {
      const on = t.id === 'tab-' + tab;
      t.setAttribute('aria-selected', on);
      t.tabIndex = on ? 0 : -1;
      $(t.getAttribute('aria-controls')).hidden = !on;
    }
    if (tab === 'picture') window.dispatchEvent(new Event('resize')); // it had no width while it was hidden
  };
  $('tabs').addEventListener('click', e => {
    if (e.target.role !== 'tab') return;
    show(e.target.id.slice(4));
    if (e.target.id === 'tab-picture') $('map').focus({preventScroll: true}); // whose keys are not those of tabs
  });
  $('tabs').addEventListener('keydown', e => {
    if (e.key !== 'ArrowLeft' && e.key !== 'ArrowRight') return;
    const all = [...document.querySelectorAll('[role=tab]')], at = all.indexOf(document.activeElement);
    const next = all[(at + (e.key === 'ArrowRight' ? 1 : all.length - 1)) % all.length];
    show(next.id.slice(4));
    next.focus();
    e.preventDefault();
  });

  // choose shows a file, and what the page was told of it already, or what a run tells.
  const choose = async (name, told) => {
    stop();
    $('query').elements.file.value = file = name;
    listFiles();
    if (!told) $('error').textContent = $('progress').textContent = '';
    $('name').textContent = name;
    try {
      const about = await ask('schema', {file});
      columns = about.columns;
      $('facts').textContent = about.facts;
      const t = $('schema-table');
      t.textContent = '';
      const head = make(t, 'tr');
      for (const title of ['column', 'type', 'bytes', 'min', 'max', 'nulls']) make(head, 'th', title).className = title === 'bytes' || title === 'nulls' ? 'number' : '';
      for (const c of columns) {
        const line = make(t, 'tr');
        [c.path, c.type, c.bytes, c.min, c.max, c.nulls].forEach((text, i) => { make(line, 'td', text).className = i === 2 || i === 5 ? 'number' : ''; });
      }
      $('query').hidden = $('tabs').hidden = false;
      show('rows');
      $('condition').focus();
      if (told) tell(told); else run();
    } catch (e) {
      $('query').hidden = $('tabs').hidden = true;
      $('error').textContent = e.message;
    }
  };

  // Completion of the name at the cursor.
  const words = ['AND', 'OR', 'NOT', 'IN', 'BETWEEN', 'LIKE', 'IS NULL', 'IS NOT NULL', 'TRUE', 'FALSE', 'DATE', 'TIMESTAMP'];
  const word = () => {
    const text = $('condition').value.slice(0, $('condition').selectionStart), start = text.search(/["\w.]*$/);
    return {start, text: text.slice(start)};
  };
  const offer = () => {
    const list = $('offers'), at = word(), plain = at.text.replaceAll('"', '').toLowerCase();
    list.textContent = '';
    const found = [...columns.filter(c => c.filters).map(c => c.path), ...words].filter(n => n.replaceAll('"', '').toLowerCase().startsWith(plain)).slice(0, 50);
    found.forEach((name, i) => {
      const item = make(list, 'li', name);
      item.setAttribute('role', 'option');
      item.setAttribute('aria-selected', i === 0);
      item.addEventListener('mousedown', e => { e.preventDefault(); take(name); });
    });
    list.hidden = !found.length;
  };
  const take = name => {
    const input = $('condition'), at = word(), end = input.selectionStart;
    input.setRangeText(name + ' ', at.start, end, 'end');
    $('offers').hidden = true;
  };
  $('condition').addEventListener('input', () => { if (word().text.length > 1) offer(); else $('offers').hidden = true; });
  $('condition').addEventListener('blur', () => { $('offers').hidden = true; });
  $('condition').addEventListener('keydown', e => {
    const list = $('offers'), chosen = [...list.children].find(i => i.getAttribute('aria-selected') === 'true');
    if (e.key === ' ' && e.ctrlKey) offer();
    else if (!list.hidden && (e.key === 'ArrowDown' || e.key === 'ArrowUp')) move(list, e.key === 'ArrowDown' ? 1 : -1);
    else if (!list.hidden && e.key === 'Tab' && chosen) take(chosen.textContent);
    else if (!list.hidden && e.key === 'Escape') list.hidden = true;
    else return;
    e.preventDefault();
    e.stopPropagation();
  });

  // One scan: its answer is a line of JSON for each thing that it tells.
  const stop = () => { if (running) running.abort(); running = null; };
  // letters returns how many letters of the plan fit into a line of the window.
  const letters = () => {
    const g = document.createElement('canvas').getContext('2d');
    g.font = getComputedStyle($('plan-text')).font;
    return Math.floor($('tabs').clientWidth / g.measureText('0').width) - 2;
  };
  const run = async () => {
    stop();
    $('offers').hidden = true;
    const mine = running = new AbortController();
    $('error').textContent = $('plan-text').textContent = '';
    $('row-table').textContent = '';
    $('previous').hidden = $('next').hidden = true;
    $('cancel').hidden = false;
    $('progress').textContent = 'running';
    const query = new URLSearchParams({file});
    for (const [name, id] of [['where', 'condition'], ['columns', 'columns']]) if ($(id).value) query.set(name, $(id).value);
    if (location.search !== '?' + query) history.pushState(null, '', '?' + query);
    try {
      query.set('width', letters());
      const answer = await fetch('run?' + query, {signal: mine.signal});
      if (!answer.ok) throw new Error(await answer.text());
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let text = ''; ;) {
        const {done, value} = await reader.read();
        if (mine !== running) return;
        if (done) break;
        text += value;
        const lines = text.split('\n');
        text = lines.pop();
        for (const line of lines) tell(JSON.parse(line));
      }
    } catch (e) {
      if (mine !== running && running !== null) return;
      if (e.name === 'AbortError') $('progress').textContent = 'cancelled. ' + $('progress').textContent;
      else { $('error').textContent = e.message; $('progress').textContent = ''; }
    }
    if (mine === running) running = null;
    $('cancel').hidden = running === null;
    if (running === null) $('cancel').hidden = true;
  };
  const tell = m => {
    if (m.error) { $('error').textContent = m.error; $('progress').textContent = ''; }
    if (m.plan) $('plan-text').textContent = m.plan;
    if (m.picture) { if (map) map.leave(); map = pageMap(m.picture); document.title = 'scan ' + file; }
    if (m.pages && map) map.update(m.pages);
    if (m.columns) {
      const head = make($('row-table'), 'tr');
      for (const c of m.columns) make(head, 'th', c.name).className = c.number ? 'number' : '';
      $('row-table').numbers = m.columns.map(c => c.number);
    }
    for (const row of m.rows || []) {
      const line = make($('row-table'), 'tr');
      row.forEach((text, i) => {
        const cell = make(line, 'td', text === null ? 'NULL' : text);
        cell.className = text === null ? 'null' : $('row-table').numbers[i] ? 'number' : '';
        if (text !== null && text.length > 60) cell.title = text;
      });
    }
    if (m.progress) $('progress').textContent = m.progress;
    for (const id of ['previous', 'next']) if (m[id]) { $(id).href = m[id]; $(id).hidden = false; }
  };
  window.addEventListener('popstate', () => location.reload());
  $('query').addEventListener('submit', e => { e.preventDefault(); run(); });
  const cancel = () => { if (running) { stop(); $('cancel').hidden = true; } };
  $('cancel').addEventListener('click', cancel);
  document.addEventListener('keydown', e => { if (e.key === 'Escape') cancel(); });

  const asked = $('query').elements.file.value;
  if (asked) choose(asked, JSON.parse($('told').textContent));
  ask('files', {}).then(list => {
    names = list;
    listFiles();
    if (file) return;
    $('facts').textContent = !names.length ? 'This folder has no Parquet files: their names end in .parquet, .parq or .pq.' :
      count(names.length) + ' files. Type a part of a name, or move with the arrow keys; Enter opens.';
    if (names.length === 1) choose(names[0]); else $('find').focus(); })
    .catch(e => { $('error').textContent = e.message; });
})();
