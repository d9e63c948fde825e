package match

import (
	"errors"
	"strings"
)

// SplitCommand splits a command line into arguments as a shell does, with single
// quotes, double quotes and backslashes. It expands nothing.
func SplitCommand(text string) ([]string, error) {
	var words []string
	var word strings.Builder
	inWord, quote := false, rune(0)
	runes := []rune(text)
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		switch {
		case r == '\\' && quote != '\'':
			if i++; i == len(runes) {
				return nil, errors.New("the command ends with a backslash")
			}
			word.WriteRune(runes[i])
			inWord = true
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, inWord = r, true
		case quote == 0 && strings.ContainsRune(" \t\n\r", r):
			if inWord {
				words = append(words, word.String())
				word.Reset()
				inWord = false
			}
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, errors.New("the command has a quote that is not closed")
	}
	if inWord {
		words = append(words, word.String())
	}
	if len(words) == 0 || words[0] == "" {
		return nil, errors.New("the command is empty")
	}
	return words, nil
}
