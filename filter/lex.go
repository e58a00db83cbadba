package filter

import (
	"strings"
	"unicode/utf8"

	"github.com/winnow-scan/winnow/filter/internal/tree"
)

// token is a token of a condition's text.
type token struct {
	kind tokKind
	text string // of names and strings: the content without quotes; of others: as written
	at   int    // byte offset in the text
}

type tokKind uint8

const (
	tokEnd    tokKind = iota
	tokName           // a name or a keyword
	tokQuoted         // "a name" or `a name`
	tokString         // 'text'
	tokBinary         // X'0a'
	tokNumber
	tokSign  // < <= ( and so on
	tokFault // a lexical error, described by text
)

// is reports whether t is the given keyword, in any case, or the given sign.
func (t token) is(word string) bool {
	switch t.kind {
	case tokName:
		return strings.EqualFold(t.text, word)
	case tokSign:
		return t.text == word
	}
	return false
}

// lexer splits a text into tokens.
type lexer struct {
	text string
	at   int
}

// next returns the next token, tokEnd at the end of the text.
func (l *lexer) next() token {
	l.skipSpace()
	start := l.at
	t := l.read()
	t.at = start
	return t
}

// skipSpace skips spaces and comments, which are written -- to the end of the line, or between /*
// and */. It stops at a comment without an end.
func (l *lexer) skipSpace() {
	for {
		l.at = len(l.text) - len(strings.TrimLeft(l.text[l.at:], " \t\r\n"))
		rest := l.text[l.at:]
		switch {
		case strings.HasPrefix(rest, "--"):
			n := strings.IndexAny(rest, "\r\n")
			if n < 0 {
				n = len(rest)
			}
			l.at += n
		case strings.HasPrefix(rest, "/*") && strings.Contains(rest[2:], "*/"):
			l.at += 2 + strings.Index(rest[2:], "*/") + 2
		default:
			return
		}
	}
}

// otherSigns are signs of other languages, with what to write.
var otherSigns = map[string]string{
	"&&": "AND is written as a word",
	"<<": "<< is not supported: multiply by a power of 2, as in a * 8",
	">>": ">> is not supported: divide by a power of 2, as in floor(a / 8)",
	"//": "// is not supported: floor(a / b) rounds down, and a / b has digits behind the point",
}

// read reads the token at l.at, where no space is.
func (l *lexer) read() token {
	rest := l.text[l.at:]
	if rest == "" {
		return token{}
	}
	switch c := rest[0]; {
	case strings.HasPrefix(rest, "/*"):
		l.at = len(l.text)
		return token{kind: tokFault, text: "a comment that is not closed"}
	case c == '\'':
		return l.quoted('\'', tokString)
	case c == '"' || c == '`':
		return l.quoted(c, tokQuoted)
	case (c == 'x' || c == 'X') && len(rest) > 1 && rest[1] == '\'':
		l.at++
		return l.quoted('\'', tokBinary)
	case isDigit(rest, 0) || c == '.' && isDigit(rest, 1):
		return l.number()
	}
	if n := tree.NameLength(rest); n > 0 {
		l.at += n
		return token{kind: tokName, text: rest[:n]}
	}
	for _, sign := range []string{"||", "<=", ">=", "<>", "<<", ">>", "!=", "!~*", "!~", "::", ":", "<", ">", "==", "=", "~*", "~", "(", ")", ",", ".", "[", "]", "-", "+", "**", "*", "//", "/", "%", "&&", "&", "|", "^", ";"} {
		if !strings.HasPrefix(rest, sign) {
			continue
		}
		l.at += len(sign)
		if instead := otherSigns[sign]; instead != "" {
			return token{kind: tokFault, text: instead}
		}
		return token{kind: tokSign, text: sign}
	}
	_, size := utf8.DecodeRuneInString(rest)
	l.at += size
	return token{kind: tokFault, text: "a character that means nothing here"}
}

// quoted reads up to the closing quote. A doubled quote stands for one.
func (l *lexer) quoted(quote byte, kind tokKind) token {
	sign := string(quote)
	for start, i := l.at+1, l.at+1; ; i++ { // i is behind the opening quote, or behind a doubled one
		n := strings.IndexByte(l.text[i:], quote)
		if n < 0 {
			l.at = len(l.text)
			return token{kind: tokFault, text: "a quote that is not closed"}
		}
		if i += n + 1; !strings.HasPrefix(l.text[i:], sign) {
			l.at = i
			return token{kind: kind, text: strings.ReplaceAll(l.text[start:i-1], sign+sign, sign)}
		}
	}
}

// number reads digits with an optional point and exponent.
func (l *lexer) number() token {
	s, start := l.text, l.at
	i := skipDigits(s, start)
	if i < len(s) && s[i] == '.' {
		i = skipDigits(s, i+1)
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		j := i + 1
		if j < len(s) && (s[j] == '+' || s[j] == '-') {
			j++
		}
		if isDigit(s, j) {
			i = skipDigits(s, j)
		}
	}
	l.at = i
	if n := tree.NameLength(s[i:]); n > 0 {
		l.at += n
		return token{kind: tokFault, text: "a number that runs into a name"}
	}
	return token{kind: tokNumber, text: strings.ReplaceAll(s[start:i], "_", "")}
}

// skipDigits skips digits, and a _ between two of them.
func skipDigits(s string, i int) int {
	for isDigit(s, i) || i < len(s) && s[i] == '_' && isDigit(s, i-1) && isDigit(s, i+1) {
		i++
	}
	return i
}

func isDigit(s string, i int) bool { return 0 <= i && i < len(s) && s[i] >= '0' && s[i] <= '9' }
